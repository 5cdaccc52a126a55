package io.kubeloop.workqueue.queue;

import io.kubeloop.workqueue.AlarmClock;
import io.kubeloop.workqueue.QueueGauges;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Measures one queue that has metrics: the times of its items, and the gauges.
 *
 * <p>The methods named {@code mark...} are called under the queue's lock and touch nothing of the user's; the others are
 * called without it.
 */
public final class QueueMeter implements QueueGauges {

    private final ReentrantLock lock;
    private final AlarmClock clock;
    private final IntSupplier depth;
    private final Supplier<Map<Integer, Integer>> depthByPriority;

    /** The entries in processing, oldest first. Guarded by lock. */
    private final LinkedHashSet<AbstractWorkQueue.Entry<?>> running = new LinkedHashSet<>();

    QueueMeter(
            ReentrantLock lock, AlarmClock clock, IntSupplier depth, Supplier<Map<Integer, Integer>> depthByPriority) {
        this.lock = lock;
        this.clock = clock;
        this.depth = depth;
        this.depthByPriority = depthByPriority;
    }

    void markAdded(AbstractWorkQueue.Entry<?> entry) {
        entry.addedAt = clock.nanoTime();
    }

    /** Returns for how many nanoseconds the entry had waited. */
    long markTaken(AbstractWorkQueue.Entry<?> entry) {
        entry.takenAt = clock.nanoTime();
        running.add(entry);
        return entry.takenAt - entry.addedAt;
    }

    /** Returns for how many nanoseconds the entry had been processed. */
    long markDone(AbstractWorkQueue.Entry<?> entry) {
        running.remove(entry);
        return clock.nanoTime() - entry.takenAt;
    }

    @Override
    public int depth() {
        return depth.getAsInt();
    }

    @Override
    public Map<Integer, Integer> depthByPriority() {
        return depthByPriority.get();
    }

    @Override
    public Duration unfinishedWork() {
        lock.lock();
        try {
            long now = clock.nanoTime();
            long sum = 0;
            for (AbstractWorkQueue.Entry<?> entry : running) {
                sum += now - entry.takenAt;
            }
            return Duration.ofNanos(sum);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Duration longestRunning() {
        lock.lock();
        try {
            return running.isEmpty()
                    ? Duration.ZERO
                    : Duration.ofNanos(clock.nanoTime() - running.iterator().next().takenAt);
        } finally {
            lock.unlock();
        }
    }
}
