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
 * The measurements of a queue with metrics: the times of its items, and the gauges. Thread-safe.
 *
 * <p>Callers of the methods named {@code mark...} must hold the queue's lock; these methods call no user code except the clock.
 * The gauges are read without the lock.
 */
public final class QueueMeter implements QueueGauges {

    private final ReentrantLock lock;
    private final AlarmClock clock;
    private final IntSupplier depth;
    private final Supplier<Map<Integer, Integer>> depthByPriority;

    /** The entries in processing, in the order in which they were handed out. Guarded by lock. */
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

    /** Records that the entry is handed out; returns its time in the queue, in nanoseconds. */
    long markTaken(AbstractWorkQueue.Entry<?> entry) {
        entry.takenAt = clock.nanoTime();
        running.add(entry);
        return entry.takenAt - entry.addedAt;
    }

    /** Records that the entry is done; returns its time in processing, in nanoseconds. */
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
