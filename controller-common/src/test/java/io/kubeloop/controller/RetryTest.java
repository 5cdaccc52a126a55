/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.Status;
import io.kubeloop.api.StatusReason;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.workqueue.BackoffSteps;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** RT-01. */
class RetryTest {

    private final List<Long> pauses = new ArrayList<>();
    private final Retry retry = new Retry(pause -> pauses.add(pause.toMillis()), () -> 0);
    private int tries;

    private static ApiException conflict(int number) {
        return new ApiException("PUT /x", Status.failure(409, StatusReason.CONFLICT, "conflict " + number), null);
    }

    /** Fails this often, then returns how often it was tried. */
    private Supplier<Integer> failing(int times) {
        return () -> {
            tries++;
            if (tries <= times) {
                throw conflict(tries);
            }
            return tries;
        };
    }

    @Test
    void run_succeedsAtLast_returnsWhatItReturned() throws InterruptedException {
        assertThat(retry.run(Retry.DEFAULT_RETRY, e -> true, failing(4))).isEqualTo(5);
        assertThat(pauses).containsExactly(10L, 10L, 10L, 10L);
    }

    @Test
    void run_failsEachTime_throwsTheLastFailure() {
        assertThatThrownBy(() -> retry.run(Retry.DEFAULT_BACKOFF, e -> true, failing(100)))
                .hasMessageContaining("conflict 4");
        assertThat(tries).isEqualTo(4);
        assertThat(pauses).containsExactly(10L, 50L, 250L);
    }

    @Test
    void run_backoffReachesItsCap_throwsTheLastFailure_RT03() {
        BackoffSteps capped = new BackoffSteps(Duration.ofMillis(10), 2, 0, 10, Duration.ofMillis(50));
        assertThatThrownBy(() -> retry.run(capped, e -> true, failing(100))).hasMessageContaining("conflict 3");
        assertThat(pauses).containsExactly(10L, 20L);
    }

    @Test
    void onConflict_pauseThatNoClockHolds_isSleptLikeAnyOther() {
        BackoffSteps forever = new BackoffSteps(ChronoUnit.FOREVER.getDuration(), 1, 1, 2, Duration.ZERO);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Retry.onConflict(forever, failing(1))).isInstanceOf(InterruptedException.class);
    }

    @Test
    void run_backoffWithoutSteps_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        retry.run(new BackoffSteps(Duration.ZERO, 1, 0, 0, Duration.ZERO), e -> true, failing(0)));
    }

    @Test
    void onConflict_anythingElse_isThrownAtOnce() {
        assertThatThrownBy(() -> Retry.onConflict(Retry.DEFAULT_RETRY, () -> {
                    tries++;
                    throw new ApiException("PUT /x", Status.failure(404, StatusReason.NOT_FOUND, "no"), null);
                }))
                .isInstanceOf(ApiException.class);
        assertThat(tries).isEqualTo(1);
    }

    @Test
    void onConflict_conflict_isTriedAgain() throws InterruptedException {
        assertThat(Retry.onConflict(Retry.DEFAULT_RETRY, failing(1))).isEqualTo(2);
    }

    @Test
    void onError_interruptedBetweenTwoTries_saysWhatHadFailed() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Retry.onError(Retry.DEFAULT_RETRY, e -> true, failing(100)))
                .isInstanceOf(InterruptedException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(tries).isEqualTo(1);
    }
}
