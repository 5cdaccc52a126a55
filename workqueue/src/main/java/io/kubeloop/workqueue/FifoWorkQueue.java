package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The work queue itself, first in, first out (upstream: {@code util/workqueue/queue.go}). Thread-safe.
 *
 * @param <T> the type of the items
 */
final class FifoWorkQueue<T> implements WorkQueue<T> {

    // Upstream keeps a dirty set and a processing set beside the queue. Here one entry per item carries both marks, so
    // that add, get and done cost three look-ups of the hash table together, and get none at all.
    //
    // Invariants, under the lock, as long as callers pair get and done
    //   Q1  entries holds exactly the items that are dirty or processing.
    //   Q2  waiting holds each entry at most once: those that are dirty and not processing (I3: one worker at a time).
    //   Q3  What is added while processing is marked dirty only; done puts it at the end of waiting (I3: once more).
    //   Q4  An entry that enters waiting wakes one worker; shutting down wakes all of them.
    //   Q5  Whoever drains waits until entries is empty: done tells them when it removes the last one.
    // One lock; under it run only the items' equals and hashCode and the clock. Metrics are told after unlocking (I13).
    // Any thread may call any method; workers block in get, one that shuts down may block in shutDownWithDrain.

    /** What the queue knows about one item. Guarded by the queue's lock. */
    static final class Entry<T> {
        final T item;
        boolean dirty = true;
        boolean processing;

        /** When it became dirty; only if the queue is metered. */
        long addedAt;

        /** When it was handed out; only if the queue is metered. */
        long takenAt;

        Entry(T item) {
            this.item = item;
        }
    }

    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition drained = lock.newCondition();

    /** Guarded by lock. */
    private final Map<T, Entry<T>> entries = new HashMap<>();

    /** Guarded by lock. */
    private final ArrayDeque<Entry<T>> waiting = new ArrayDeque<>();

    /** Guarded by lock. */
    private boolean shuttingDown;

    /** Guarded by lock; a shutDown without drain ends the wait of those who drain. */
    private boolean draining;

    /** Both null, or neither. */
    private final @Nullable QueueMeter<T> meter;

    private final @Nullable QueueMetrics metrics;

    FifoWorkQueue(WorkQueueConfig config) {
        name = config.name();
        QueueMetricsProvider provider = config.metrics();
        if (provider == null || name.isEmpty()) {
            meter = null;
            metrics = null;
        } else {
            meter = new QueueMeter<>(this, lock, config.clock());
            metrics = new SafeQueueMetrics(provider.register(name, meter));
        }
    }

    @Override
    public String name() {
        return name;
    }

    /** Returns where this queue and those around it report to; null if it has no metrics. */
    @Nullable
    QueueMetrics metrics() {
        return metrics;
    }

    @Override
    public void add(T item) {
        Objects.requireNonNull(item, "item");
        boolean added;
        lock.lock();
        try {
            added = !shuttingDown && markDirty(item);
        } finally {
            lock.unlock();
        }
        if (added && metrics != null) {
            metrics.added();
        }
    }

    private boolean markDirty(T item) {
        Entry<T> entry = entries.get(item);
        if (entry == null) {
            entry = new Entry<>(item);
            entries.put(item, entry);
        } else if (entry.dirty) {
            return false;
        } else {
            entry.dirty = true;
        }
        if (meter != null) {
            meter.markAdded(entry);
        }
        if (!entry.processing) {
            enqueue(entry);
        }
        return true;
    }

    private void enqueue(Entry<T> entry) {
        waiting.addLast(entry);
        notEmpty.signal();
    }

    @Override
    public @Nullable T get() throws InterruptedException {
        Entry<T> entry;
        long waited = 0;
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty()) {
                if (shuttingDown) {
                    return null;
                }
                notEmpty.await();
            }
            entry = take();
            if (meter != null) {
                waited = meter.markTaken(entry);
            }
        } finally {
            lock.unlock();
        }
        if (metrics != null) {
            metrics.taken(Duration.ofNanos(waited));
        }
        return entry.item;
    }

    private Entry<T> take() {
        Entry<T> entry = waiting.removeFirst();
        if (!entry.dirty) {
            // Only after a done without a get (WQ-06): the same entry stood in the queue twice.
            entries.putIfAbsent(entry.item, entry);
            entry = entries.get(entry.item);
        }
        entry.dirty = false;
        entry.processing = true;
        return entry;
    }

    @Override
    public void done(T item) {
        boolean ended;
        long worked = 0;
        lock.lock();
        try {
            Entry<T> entry = entries.get(item);
            if (entry == null) {
                return;
            }
            ended = entry.processing;
            if (ended) {
                entry.processing = false;
                if (meter != null) {
                    worked = meter.markDone(entry);
                }
            }
            if (entry.dirty) {
                enqueue(entry);
            } else {
                entries.remove(item);
                signalIfDrained();
            }
        } finally {
            lock.unlock();
        }
        if (ended && metrics != null) {
            metrics.processed(Duration.ofNanos(worked));
        }
    }

    private void signalIfDrained() {
        if (draining && entries.isEmpty()) {
            drained.signalAll();
        }
    }

    @Override
    public int length() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void shutDown() {
        boolean first;
        lock.lock();
        try {
            first = beginShutDown();
            draining = false;
            drained.signalAll();
        } finally {
            lock.unlock();
        }
        closeMetrics(first);
    }

    @Override
    public void shutDownWithDrain() throws InterruptedException {
        boolean first = false;
        lock.lockInterruptibly();
        try {
            first = beginShutDown();
            draining = true;
            while (draining && !entries.isEmpty()) {
                drained.await();
            }
        } finally {
            lock.unlock();
            closeMetrics(first);
        }
    }

    private boolean beginShutDown() {
        boolean first = !shuttingDown;
        shuttingDown = true;
        notEmpty.signalAll();
        return first;
    }

    private void closeMetrics(boolean first) {
        if (first && metrics != null) {
            metrics.close();
        }
    }

    @Override
    public boolean isShuttingDown() {
        lock.lock();
        try {
            return shuttingDown;
        } finally {
            lock.unlock();
        }
    }
}
