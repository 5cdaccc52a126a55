/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.testing.ManualScheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class SchedulerScopeTest {

    private final ManualScheduler outer = new ManualScheduler();
    private final ManualScheduler inner = new ManualScheduler();

    @Test
    void system_withinScopes_isThatOfTheInnermost() {
        Scheduler real = Scheduler.system();
        try (SchedulerScope first = SchedulerScope.open(outer)) {
            assertThat(Scheduler.system()).isSameAs(outer);
            try (SchedulerScope second = SchedulerScope.open(inner)) {
                assertThat(Scheduler.system()).isSameAs(inner);
                assertThat(second).isNotSameAs(first);
            }
            assertThat(Scheduler.system()).isSameAs(outer);
        }
        assertThat(Scheduler.system()).isSameAs(real);
    }

    @Test
    void scope_isInheritedByNewThreads_andEndsForThem() throws Exception {
        Scheduler real = Scheduler.system();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        CompletableFuture<Scheduler> before = new CompletableFuture<>();
        FutureTask<Scheduler> after = new FutureTask<>(() -> {
            before.complete(Scheduler.system());
            closed.join();
            return Scheduler.system();
        });
        try (SchedulerScope scope = SchedulerScope.open(outer)) {
            new Thread(after).start();
            assertThat(before.join()).isSameAs(outer);
            assertThat(scope).isNotNull();
        }
        closed.complete(null);

        assertThat(after.get()).isSameAs(real);
    }

    @Test
    void close_onAnotherThread_endsTheScopeEverywhere() throws Exception {
        Scheduler real = Scheduler.system();
        SchedulerScope scope = SchedulerScope.open(outer);
        Thread closing = new Thread(scope::close);
        closing.start();
        closing.join();

        assertThat(Scheduler.system()).isSameAs(real);
        scope.close();
    }
}
