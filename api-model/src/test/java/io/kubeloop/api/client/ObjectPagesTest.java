/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.StatusReason;
import io.kubeloop.api.core.Pod;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class ObjectPagesTest {

    private final StoredObjects widgets = new StoredObjects();

    private void store(int count) {
        for (int i = 0; i < count; i++) {
            widgets.put(GenericObject.of("v1", "Widget", ObjectMeta.named("shop", "w" + i)));
        }
    }

    @Test
    void listAll_requestsPageByPage_asTheCallerAdvances() {
        store(5);
        ListOptions options = ListOptionsBuilder.builder()
                .limit(2)
                .resourceVersion("0")
                .labelSelector("a=b")
                .build();
        Iterator<GenericObject> iterator = widgets.listAll("shop", options).iterator();
        assertThat(widgets.calls()).isEmpty();
        iterator.next();
        iterator.next();
        assertThat(widgets.calls()).containsExactly("list{labelSelector=a=b, resourceVersion=0, limit=2}");
        iterator.next();
        assertThat(widgets.calls())
                .hasSize(2)
                .last()
                .isEqualTo("list{labelSelector=a=b, limit=2, continue=2}"); // no version beside a token
        assertThat(iterator).toIterable().hasSize(2);
        assertThat(widgets.calls()).hasSize(3);
        assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void listAll_twice_isTwoLists_ofFiveHundredEach() {
        store(3);
        Iterable<GenericObject> all = widgets.listAll("", ListOptions.NONE);
        for (int time = 0; time < 2; time++) {
            assertThat(all).hasSize(3);
        }
        assertThat(widgets.calls()).containsExactly("list{limit=500}", "list{limit=500}");
    }

    @Test
    void listAll_ofNothing_isEmpty() {
        assertThat(widgets.listAll("", ListOptions.NONE)).isEmpty();
    }

    @Test
    void listAll_withAnExpiredToken_failsAndSaysWhatToDo() {
        RecordingTransport transport = new RecordingTransport();
        ResourceClient<Pod> pods = KubeClient.of(transport, new NameCodec()).resource(ResourceTypes.PODS);
        transport.answer(410, StatusReason.EXPIRED);
        ListOptions second = ListOptionsBuilder.builder().continueToken("t").build();
        Iterator<Pod> iterator = pods.listAll("shop", second).iterator();
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(iterator::next)
                .matches(ApiException::isExpired)
                .withMessageStartingWith("Cannot continue a list at page 1: the continue token has expired;"
                        + " list again from the start, or use a larger limit: 410 Expired");
        transport.answer(410, StatusReason.EXPIRED);
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(
                        () -> pods.listAll("shop", ListOptions.NONE).iterator().hasNext())
                .withMessageStartingWith("GET /api/v1/namespaces/shop/pods: 410");
    }

    @Test
    void listAll_ofEmptyPages_toleratesSome_andFailsAtTheLimit() {
        RecordingTransport transport = new RecordingTransport();
        ResourceClient<Pod> pods = KubeClient.of(transport, new NameCodec()).resource(ResourceTypes.PODS);
        for (int page = 1; page < EmptyPages.LIMIT; page++) {
            transport.answer(200, "continue=t" + page);
        }
        transport.answer(200, "a continue=late");
        for (int page = 1; page <= EmptyPages.LIMIT; page++) {
            transport.answer(200, "continue=u" + page);
        }
        Iterator<Pod> iterator = pods.listAll("shop", ListOptions.NONE).iterator();
        assertThat(iterator.next().metadata().name()).isEqualTo("a");
        assertThat(transport.requests()).hasSize(EmptyPages.LIMIT);
        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(iterator::hasNext)
                .matches(e -> e.kind() == TransportException.Kind.BROKEN)
                .withMessage("Cannot continue a list: 1000 consecutive pages had a continue token and no objects;"
                        + " list with a larger limit, or repair the server");
        assertThat(transport.requests()).hasSize(2 * EmptyPages.LIMIT);
        assertThat(transport.open()).isZero();
    }

    @Test
    void listAll_afterAnError_repeatsTheSamePage() {
        RecordingTransport transport = new RecordingTransport();
        ResourceClient<Pod> pods = KubeClient.of(transport, new NameCodec()).resource(ResourceTypes.PODS);
        transport.answer(500, StatusReason.INTERNAL_ERROR);
        transport.answer(200, "a b");
        Iterator<Pod> iterator = pods.listAll("shop", ListOptions.NONE).iterator();
        assertThatExceptionOfType(ApiException.class).isThrownBy(iterator::hasNext);
        assertThat(iterator).toIterable().hasSize(2);
        assertThat(transport.requests()).hasSize(2);
    }
}
