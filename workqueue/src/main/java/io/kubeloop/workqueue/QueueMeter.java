package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Measures one queue that has metrics: the times of its items, and the gauges.
 *
 * <p>The methods named {@code mark...} are called under the queue's lock and touch nothing of the user's; the others are
 * called without it.
 *
 * @param <T> the type of the items
 */
final class QueueMeter<T> implements QueueGauges {

    private final FifoWorkQueue<T> queue;
    private final ReentrantLock lock;
    private final AlarmClock clock;

    /** What is being processed, oldest first. Guarded by lock. */
    private final LinkedHashSet<FifoWorkQueue.Entry<T>> running = new LinkedHashSet<>();

    QueueMeter(FifoWorkQueue<T> queue, ReentrantLock lock, AlarmClock clock) {
        this.queue = queue;
        this.lock = lock;
        this.clock = clock;
    }

    void markAdded(FifoWorkQueue.Entry<T> entry) {
        entry.addedAt = clock.nanoTime();
    }

    /** Returns for how many nanoseconds the entry had waited. */
    long markTaken(FifoWorkQueue.Entry<T> entry) {
        entry.takenAt = clock.nanoTime();
        running.add(entry);
        return entry.takenAt - entry.addedAt;
    }

    /** Returns for how many nanoseconds the entry had been processed. */
    long markDone(FifoWorkQueue.Entry<T> entry) {
        running.remove(entry);
        return clock.nanoTime() - entry.takenAt;
    }

    @Override
    public int depth() {
        return queue.length();
    }

    @Override
    public Duration unfinishedWork() {
        lock.lock();
        try {
            long now = clock.nanoTime();
            long sum = 0;
            for (FifoWorkQueue.Entry<T> entry : running) {
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
