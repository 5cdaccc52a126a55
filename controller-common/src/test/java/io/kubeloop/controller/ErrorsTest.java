/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.Status;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.TransportException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorsTest {

    private static ApiException refused(String message) {
        return new ApiException("POST /api/v1/pods", Status.failure(403, "Forbidden", message), null);
    }

    @Test
    void text_serverSaidSomething_isItsOwnWords() {
        assertThat(Errors.text(refused("exceeded quota"))).isEqualTo("exceeded quota");
    }

    @Test
    void text_serverSaidNothingOrNoServer_isTheExceptionsMessage() {
        assertThat(Errors.text(refused(""))).isEqualTo("POST /api/v1/pods: 403 Forbidden");
        assertThat(Errors.text(new TransportException(TransportException.Kind.TIMEOUT, "no answer", null)))
                .isEqualTo("no answer");
        assertThat(Errors.text(new IllegalStateException())).isEqualTo("java.lang.IllegalStateException");
    }

    @Test
    void isGeneratedNameTaken_onlyWhereNothingWasCreated() {
        String suffix = " could not be completed at this time, please try again.";
        assertThat(Errors.isGeneratedNameTaken(serverTimeout("The POST operation against Pod" + suffix)))
                .isTrue();
        // The response of an API server whose storage does not respond: the object may exist.
        assertThat(Errors.isGeneratedNameTaken(serverTimeout("The create operation against pods" + suffix)))
                .isFalse();
        assertThat(Errors.isGeneratedNameTaken(refused("The POST operation against Pod" + suffix)))
                .isFalse();
        assertThat(Errors.isGeneratedNameTaken(new IllegalStateException("The POST operation against Pod")))
                .isFalse();
    }

    private static ApiException serverTimeout(String message) {
        return new ApiException("POST /api/v1/pods", Status.failure(500, "ServerTimeout", message), null);
    }

    @Test
    void aggregate_one_isThatOne() {
        ApiException only = refused("a");
        assertThat(Errors.aggregate(List.of(only))).isSameAs(only);
    }

    @Test
    void aggregate_several_listsDifferentTextsAndKeepsAll() {
        RuntimeException all = Errors.aggregate(List.of(refused("a"), refused("b"), refused("a")));
        assertThat(all).hasMessage("[a, b]");
        assertThat(all.getSuppressed()).hasSize(2);
        assertThat(Errors.aggregate(List.of(refused("a"), refused("a")))).hasMessage("a");
    }

    @Test
    void aggregate_none_isRefused() {
        assertThatThrownBy(() -> Errors.aggregate(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
