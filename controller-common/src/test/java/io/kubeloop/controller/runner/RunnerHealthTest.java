/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.ReflectorState;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunnerHealthTest {

    private static final InformerHealth REFUSED = new InformerHealth(
            "pods",
            ReflectorState.LISTING,
            null,
            false,
            "",
            "",
            null,
            new IllegalStateException("403 Forbidden"),
            null,
            "grant verb list on pods",
            1,
            0,
            1,
            0,
            0,
            List.of());

    @Test
    void leaderWithoutItsCaches_isAliveAndNotReady() {
        RunnerHealth health = new RunnerHealth(false, true, false, List.of(REFUSED));
        assertThat(health.liveness()).isEmpty();
        assertThat(health.readiness())
                .containsExactly("the cache of pods is not filled: 403 Forbidden; grant verb list on pods");
    }

    @Test
    void standbyWithoutCaches_isReady() {
        assertThat(new RunnerHealth(false, false, false, List.of(REFUSED)).readiness())
                .isEmpty();
    }

    @Test
    void stuckLeaseAndEnd_areReasonsForARestart() {
        assertThat(new RunnerHealth(true, false, true, List.of()).liveness())
                .containsExactly("the runner has ended", "the lease is held and has not been renewed");
        assertThat(new RunnerHealth(true, true, true, List.of(REFUSED)).readiness())
                .hasSize(3);
    }
}
