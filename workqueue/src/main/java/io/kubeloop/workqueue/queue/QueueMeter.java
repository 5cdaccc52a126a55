/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import io.kubeloop.runtime.WorkCounter;
import io.kubeloop.workqueue.QueueGauges;
import io.kubeloop.workqueue.QueueMetrics;
import io.kubeloop.workqueue.QueueTransition;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of a queue that has metrics, or whose items a test kit counts. Thread-safe.
 *
 * <p>Callers of the methods with {@code mark} in their name must hold the queue's lock; these methods call no user code
 * except the scheduler's clock and work counter. Callers of the other methods must not hold it: metrics are user code,
 * whose errors are reported.
 */
final class QueueMeter implements QueueGauges {

    private final ReentrantLock lock;
    private final Scheduler scheduler;
    private final IntSupplier depth;
    private final Supplier<Map<Integer, Integer>> depthByPriority;
    private final @Nullable WorkCounter counter;

    /** Written once, last in the constructor: gauges may be read from then on. */
    private final @Nullable QueueMetrics metrics;

    /** The entries in processing, in the order in which they were handed out. */
    @GuardedBy("lock")
    private final LinkedHashSet<Entry<?>> running = new LinkedHashSet<>();

    private QueueMeter(
            WorkQueueConfig config,
            @Nullable WorkCounter counter,
            ReentrantLock lock,
            IntSupplier depth,
            Supplier<Map<Integer, Integer>> depthByPriority) {
        this.lock = lock;
        this.scheduler = config.scheduler();
        this.depth = depth;
        this.depthByPriority = depthByPriority;
        this.counter = counter;
        metrics = config.metrics() == null || config.name().isEmpty()
                ? null
                : config.metrics().register(config.name(), this);
    }

    /** Returns a meter; null if the queue has no metrics and nobody counts its items. */
    static @Nullable QueueMeter of(
            WorkQueueConfig config,
            ReentrantLock lock,
            IntSupplier depth,
            Supplier<Map<Integer, Integer>> depthByPriority) {
        WorkCounter counter = config.scheduler().counter("queue " + config.name());
        boolean measured = config.metrics() != null && !config.name().isEmpty();
        return measured || counter != null ? new QueueMeter(config, counter, lock, depth, depthByPriority) : null;
    }

    /** Records that the entry is marked as dirty. It counts as work before a worker can take it. */
    void markAdded(Entry<?> entry) {
        entry.addedAt = scheduler.nanoTime();
        if (counter != null) {
            counter.begin();
        }
    }

    /** Takes back {@link #markAdded} of an entry that could not enter the line. */
    void unmarkAdded() {
        if (counter != null) {
            counter.end();
        }
    }

    /** Records that the entry is handed out; returns its time in the queue, in nanoseconds. */
    @SuppressWarnings("GuardedBy") // the caller holds the lock, which belongs to the queue
    long markTaken(Entry<?> entry) {
        entry.takenAt = scheduler.nanoTime();
        running.add(entry);
        return entry.takenAt - entry.addedAt;
    }

    /** Records that the entry is done; returns its time in processing, in nanoseconds. */
    @SuppressWarnings("GuardedBy") // the caller holds the lock, which belongs to the queue
    long markDone(Entry<?> entry) {
        running.remove(entry);
        return scheduler.nanoTime() - entry.takenAt;
    }

    void added() {
        if (metrics != null) {
            UserCallbacks.run(metrics::added);
        }
    }

    void delayed(Object item, Duration delay) {
        if (metrics != null) {
            UserCallbacks.run(() -> metrics.retried(delay));
            onTransition(QueueTransition.DELAYED, item);
        }
    }

    void taken(Object item, long waited) {
        if (metrics != null) {
            UserCallbacks.run(() -> metrics.taken(Duration.ofNanos(waited)));
            onTransition(QueueTransition.TAKEN, item);
        }
    }

    void done(Object item, long worked) {
        if (metrics != null) {
            UserCallbacks.run(() -> metrics.processed(Duration.ofNanos(worked)));
            onTransition(QueueTransition.DONE, item);
        }
        if (counter != null) {
            counter.end();
        }
    }

    void onTransition(QueueTransition transition, Object item) {
        if (metrics != null) {
            try {
                metrics.onTransition(transition, item);
            } catch (Throwable e) {
                UserCallbacks.report(e);
            }
        }
    }

    void close() {
        if (metrics != null) {
            UserCallbacks.run(metrics::close);
        }
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
            long now = scheduler.nanoTime();
            long sum = 0;
            for (Entry<?> entry : running) {
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
                    : Duration.ofNanos(scheduler.nanoTime() - running.iterator().next().takenAt);
        } finally {
            lock.unlock();
        }
    }
}
