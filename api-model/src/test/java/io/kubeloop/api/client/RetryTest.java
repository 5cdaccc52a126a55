/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.Status;
import io.kubeloop.api.StatusReason;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** RT-01. */
class RetryTest {

    private final List<Long> pauses = new ArrayList<>();
    private int tries;

    private Retry recorded(BackoffSteps backoff) {
        return new Retry(backoff, pause -> pauses.add(pause.toMillis()), () -> 0);
    }

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
    void onError_succeedsAtLast_returnsWhatItReturned() throws InterruptedException {
        assertThat(recorded(Retry.DEFAULT_RETRY.backoff()).onError(e -> true, failing(4)))
                .isEqualTo(5);
        assertThat(pauses).containsExactly(10L, 10L, 10L, 10L);
    }

    @Test
    void onError_failsEachTime_throwsTheLastFailure() {
        assertThatThrownBy(() -> recorded(Retry.DEFAULT_BACKOFF.backoff()).onError(e -> true, failing(100)))
                .hasMessageContaining("conflict 4");
        assertThat(tries).isEqualTo(4);
        assertThat(pauses).containsExactly(10L, 50L, 250L);
    }

    @Test
    void onError_backoffReachesItsCap_throwsTheLastFailure_RT03() {
        BackoffSteps capped = new BackoffSteps(Duration.ofMillis(10), 2, 0, 10, Duration.ofMillis(50));
        assertThatThrownBy(() -> recorded(capped).onError(e -> true, failing(100)))
                .hasMessageContaining("conflict 3");
        assertThat(pauses).containsExactly(10L, 20L);
    }

    @Test
    void onConflict_pauseThatNoClockHolds_isSleptLikeAnyOther() {
        BackoffSteps forever = new BackoffSteps(ChronoUnit.FOREVER.getDuration(), 1, 1, 2, Duration.ZERO);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Retry.of(forever).onConflict(failing(1))).isInstanceOf(InterruptedException.class);
    }

    @Test
    void onError_backoffWithoutSteps_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Retry.of(new BackoffSteps(Duration.ZERO, 1, 0, 0, Duration.ZERO)))
                .withMessageContaining("not 0 times");
    }

    @Test
    void onConflict_anythingElse_isThrownAtOnce() {
        assertThatThrownBy(() -> Retry.DEFAULT_RETRY.onConflict(() -> {
                    tries++;
                    throw new ApiException("PUT /x", Status.failure(404, StatusReason.NOT_FOUND, "no"), null);
                }))
                .isInstanceOf(ApiException.class);
        assertThat(tries).isEqualTo(1);
    }

    @Test
    void onConflict_conflict_isTriedAgain() throws InterruptedException {
        assertThat(Retry.DEFAULT_RETRY.onConflict(failing(1))).isEqualTo(2);
    }

    @Test
    void onError_interruptedBetweenTwoTries_saysWhatHadFailed() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Retry.DEFAULT_RETRY.onError(e -> true, failing(100)))
                .isInstanceOf(InterruptedException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(tries).isEqualTo(1);
    }
}
