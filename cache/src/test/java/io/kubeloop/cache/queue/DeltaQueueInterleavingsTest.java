/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.cache.fake.LincheckRunner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Pops that block, under a scheduler that tries many interleavings. A lost wake-up appears as a deadlock, a lost or
 * misplaced change as a failed assertion (DF-06, DF-07, RF-09, RF-15; I1, I2, I12).
 */
@Tag("stress")
class DeltaQueueInterleavingsTest {

    /** Keeps a store, and checks the entries that it receives. */
    private static final class Keeper extends EntryPrinter implements KnownObjects<Integer, Integer> {

        @GuardedBy("this")
        private final Map<Integer, Integer> stored = new HashMap<>();

        final AtomicInteger syncedCalls = new AtomicInteger();

        @Override
        public synchronized List<Integer> keys() {
            return new ArrayList<>(stored.keySet());
        }

        @Override
        public synchronized Integer get(Integer key) {
            return stored.get(key);
        }

        private synchronized void put(Integer object) {
            stored.put(object / 10, object);
        }

        private synchronized void remove(Integer key) {
            stored.remove(key);
        }

        @Override
        public void deltas(List<Delta<Integer, Integer>> deltas, boolean isInInitialList) {
            for (Delta<Integer, Integer> delta : deltas) {
                Integer before = get(delta.key());
                if (delta.isDeletion()) {
                    require(before != null, "deletion of " + delta.key() + ", which is not there");
                    remove(delta.key());
                } else {
                    require(before == null || before <= delta.object(), "from " + before + " back to " + delta);
                    put(delta.object());
                }
            }
        }

        @Override
        public void replacedAll(List<Integer> objects, String resourceVersion, boolean isInInitialList) {
            keys().forEach(this::remove);
            objects.forEach(this::put);
        }

        @Override
        public void synced() {
            syncedCalls.incrementAndGet();
        }
    }

    /** A plain assertion: the code of an assertion library would be interleaved as well. */
    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static void run(Runnable... bodies) {
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
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    private static void reader_resync_consumer_close(DeltaQueue<Integer, Integer> queue, Keeper keeper) {
        run(
                () -> {
                    queue.replace(List.of(11, 21), "1");
                    queue.update(12);
                    queue.delete(22);
                    queue.close();
                },
                queue::resync,
                () -> {
                    while (queue.pop(keeper)) {
                        require(true, "one more");
                    }
                    require(queue.isClosed(), "ended before it was closed");
                });
        while (queue.pop(keeper)) {
            require(true, "what was queued after the end");
        }
        require(
                keeper.keys().size() == 1 && keeper.get(1) == 12,
                "ends as " + keeper.keys() + ", 1 is " + keeper.get(1));
        require(queue.hasSynced(), "not synced");
        require(keeper.syncedCalls.get() == 1, "told " + keeper.syncedCalls + " times that it is synced");
        require(queue.size() == 0, "something is left");
    }

    @Test
    void coalescingQueue_blockingPop_losesNothingAndEnds_I1_I2_I12() {
        LincheckRunner.everyInterleaving(() -> {
            Keeper keeper = new Keeper();
            DeltaFifo<Integer, Integer> queue = new DeltaFifo<>(object -> object / 10, keeper);
            reader_resync_consumer_close(queue, keeper);
        });
    }

    @Test
    void queueInOrder_blockingPop_losesNothingAndEnds_I1_I2_I12() {
        LincheckRunner.everyInterleaving(() -> {
            RealFifo<Integer, Integer> queue = new RealFifo<>(object -> object / 10);
            reader_resync_consumer_close(queue, new Keeper());
        });
    }
}
