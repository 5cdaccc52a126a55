/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An exception of the scheduler that fails a batch costs a list. InformerFailureTest has those that end an informer.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThrowingTimersTest {

    private final ManualScheduler manual = new ManualScheduler();
    private final AtomicBoolean cancelThrows = new AtomicBoolean();
    private final AtomicBoolean processingThrows = new AtomicBoolean();

    private final Scheduler scheduler = new Scheduler() {
        @Override
        public Instant now() {
            return manual.now();
        }

        @Override
        public long nanoTime() {
            if (Thread.currentThread().getName().startsWith("kubeloop-informer-")
                    && processingThrows.compareAndSet(true, false)) {
                throw new IllegalStateException("scripted: no time on the processing thread");
            }
            return manual.nanoTime();
        }

        @Override
        public Scheduler.Task scheduleAt(long nanoTime, Runnable task) {
            Scheduler.Task timeout = manual.scheduleAt(nanoTime, task);
            return () -> {
                timeout.cancel();
                if (cancelThrows.get()) {
                    throw new IllegalStateException("scripted: cannot cancel");
                }
            };
        }

        @Override
        public void close() {}
    };

    @Test
    void cancelThatThrows_whileAFailedBatchCostsAList_doesNotEndTheProcessingThread_C9() {
        ScriptedSource source = new ScriptedSource();
        InformerConfig config = InformerConfig.DEFAULT
                .withScheduler(scheduler)
                .withRandom(() -> 0)
                .withStreamingList(false)
                .withMetrics(
                        (type, name, health) -> new InformerMetrics() {}); // makes the processing thread read the time
        RecordingHandler handler = new RecordingHandler();
        try (SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, source, config)) {
            informer.addHandler(handler);
            source.list("10");
            informer.start();
            await().until(source::isExhausted);
            await().until(informer::hasSynced);
            cancelThrows.set(true);
            processingThrows.set(true);
            source.list("11", Thing.of("n/a", "11"));
            source.latest().added(Thing.of("n/a", "11"));
            await().until(() -> informer.health().state() == ReflectorState.BACKING_OFF && manual.waiting() > 0);
            manual.advance(Duration.ofSeconds(1));
            await().until(() -> handler.calls.contains("add n/a@11"));
            assertThat(informer.lister().list()).containsExactly(Thing.of("n/a", "11"));
        }
    }
}
