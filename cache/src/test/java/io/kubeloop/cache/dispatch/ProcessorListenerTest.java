/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.cache.store.ThreadSafeStore;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.HeapHistogram;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One handler's backlog and thread. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProcessorListenerTest {

    private final ManualScheduler manual = new ManualScheduler();

    /** Runs once, between the listener's decision to call the handler and that call, if the handler is behind. */
    private final AtomicReference<Runnable> beforeCall = new AtomicReference<>();

    private final Scheduler scheduler = new Scheduler() {
        @Override
        public Instant now() {
            return manual.now();
        }

        @Override
        public long nanoTime() {
            if (Thread.currentThread().getName().startsWith("kubeloop-handler-")) {
                Runnable once = beforeCall.getAndSet(null);
                if (once != null) {
                    once.run();
                }
            }
            return manual.nanoTime();
        }

        @Override
        public Scheduler.Task scheduleAt(long nanoTime, Runnable task) {
            return manual.scheduleAt(nanoTime, task);
        }

        @Override
        public void close() {}
    };

    private final SharedProcessor<Thing> processor = new SharedProcessor<>(
            "things",
            scheduler,
            new OwnedThreads(Thread::new, OwnedThreads.newFamily()),
            new ThreadSafeStore<ObjectName, Thing>(Thing::objectName, Thing::version),
            Duration.ZERO);

    private static void add(ProcessorListener<Thing> listener, int count) {
        listener.add(new Notification.Batch<>(
                Notification.Batch.NO_COMMIT,
                Collections.nCopies(count, new Notification.Added<>(Thing.of("n/a", "1"), false, EventCause.WATCH))));
    }

    /** The promise of {@code Registration.close()}: it does not wait, so one call may begin after it, and no other. */
    @Test
    void close_whileACallIsAboutToBegin_isFollowedByThatCallAtMost_C1() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch closed = new CountDownLatch(1);
        ProcessorListener<Thing> listener = processor.register(
                new ResourceEventHandler<Thing>() {
                    @Override
                    public void onAdd(Thing object, boolean isInInitialList) {
                        calls.incrementAndGet();
                    }
                },
                Duration.ZERO);
        add(listener, BacklogMonitor.BOUND + 10);
        listener.observeBacklog(); // so that the call itself is the next to read the time
        beforeCall.set(() -> {
            listener.close();
            assertThat(calls).hasValue(0);
            closed.countDown();
        });
        processor.start();
        closed.await();
        assertThat(listener.closeAndAwait(Duration.ofDays(1))).isTrue();
        assertThat(calls).as("the one that was about to begin").hasValue(1);
    }

    @Test
    void backlog_afterABurst_givesItsMemoryBack_C12() throws Exception {
        int burst = 500_000;
        ProcessorListener<Thing> listener = processor.register(new ResourceEventHandler<Thing>() {}, Duration.ZERO);
        long before = HeapHistogram.bytesOf("[Ljava.lang.Object;");
        for (int i = 0; i < burst; i++) {
            add(listener, 1);
        }
        assertThat(HeapHistogram.bytesOf("[Ljava.lang.Object;") - before).isGreaterThan(3L * burst);
        processor.start();
        await().until(() -> listener.pending() == 0);
        add(listener, 1); // once this is handled, the thread has freed the list of the burst
        await().until(() -> listener.pending() == 0);
        assertThat(HeapHistogram.bytesOf("[Ljava.lang.Object;") - before).isLessThan(burst);
        assertThat(listener.closeAndAwait(Duration.ofDays(1))).isTrue();
    }
}
