/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Calls that block, under a scheduler that tries one interleaving after the other: a wake-up that is lost shows as a
 * deadlock, a collision as an assertion.
 */
@Tag("stress")
class WorkQueueInterleavingsTest {

    /** Runs each body on a thread of its own; what one of them throws comes out here. */
    private static void run(Runnable... bodies) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread[] threads = new Thread[bodies.length];
        for (int i = 0; i < bodies.length; i++) {
            Runnable body = bodies[i];
            threads[i] = new Thread(() -> {
                try {
                    body.run();
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    /** The plainest assertion: a library's own code would be interleaved too. */
    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    @FunctionalInterface
    private interface Body {
        void run() throws Exception;
    }

    private static Runnable unchecked(Body body) {
        return () -> {
            try {
                body.run();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    @Test
    void twoWorkers_oneProducer_anItemAddedWhileProcessedComesOnceMore_andShutDownEndsBoth_I3() {
        Lincheck.everyInterleaving(unchecked(() -> {
            WorkQueue<String> queue = WorkQueues.fifo(WorkQueueConfig.named(""));
            AtomicInteger inside = new AtomicInteger();
            AtomicInteger processed = new AtomicInteger();
            AtomicInteger wanted = new AtomicInteger();
            AtomicInteger seen = new AtomicInteger();
            Runnable worker = unchecked(() -> {
                for (String item = queue.get(); item != null; item = queue.get()) {
                    require(inside.getAndIncrement() == 0, "two workers have the item in hand");
                    seen.set(wanted.get());
                    processed.incrementAndGet();
                    inside.decrementAndGet();
                    queue.done(item);
                }
            });
            run(worker, worker, () -> {
                wanted.incrementAndGet();
                queue.add("a");
                wanted.incrementAndGet();
                queue.add("a");
                queue.shutDown();
            });
            require(processed.get() == 1 || processed.get() == 2, "processed " + processed.get() + " times");
            require(seen.get() == 2, "an add was lost");
            require(queue.length() == 0, "something is left");
        }));
    }

    @Test
    void shutDownWithDrain_returnsOnceEverythingIsDone_I12() {
        Lincheck.everyInterleaving(unchecked(() -> {
            WorkQueue<String> queue = WorkQueues.fifo(WorkQueueConfig.named(""));
            AtomicInteger done = new AtomicInteger();
            queue.add("a");
            queue.add("b");
            run(
                    unchecked(() -> {
                        for (String item = queue.get(); item != null; item = queue.get()) {
                            done.incrementAndGet();
                            queue.done(item);
                        }
                    }),
                    unchecked(() -> {
                        queue.shutDownWithDrain();
                        require(done.get() == 2, "returned too early");
                    }));
        }));
    }

    @Test
    void addAfter_againstTheClock_deliversExactlyOnce() {
        // DQ-01 to DQ-03: the peer that loses items loses them here, between the heap and the alarm.
        Lincheck.everyInterleaving(unchecked(() -> {
            StepClock clock = new StepClock();
            DelayingQueue<String> queue =
                    WorkQueues.delaying(WorkQueueConfig.named("").withScheduler(clock));
            run(
                    () -> queue.addAfter("a", Duration.ofNanos(10)),
                    () -> queue.addAfter("b", Duration.ofNanos(5)),
                    () -> clock.advance(7));
            clock.advance(20);
            require(queue.delayed() == 0, "something is late");
            require(queue.length() == 2, "something was lost or came twice");
        }));
    }
}
