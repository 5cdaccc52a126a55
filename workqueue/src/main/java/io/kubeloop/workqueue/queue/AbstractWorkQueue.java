package io.kubeloop.workqueue.queue;

import io.kubeloop.workqueue.QueueMetrics;
import io.kubeloop.workqueue.QueueMetricsProvider;
import io.kubeloop.workqueue.WorkQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.collection.IndexedHeap;
import io.kubeloop.workqueue.collection.ShrinkingMap;
import io.kubeloop.workqueue.runtime.UserCode;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The common part of all work queues, whatever their order (upstream: {@code util/workqueue/queue.go}).
 * Thread-safe.
 *
 * @param <T> the type of the items
 * @param <E> what the queue knows about one item
 */
public abstract class AbstractWorkQueue<T, E extends AbstractWorkQueue.Entry<T>> implements WorkQueue<T> {

    // Upstream keeps a dirty set and a processing set beside the queue. Here one entry per item carries both marks, so
    // that add, get and done cost three look-ups of the hash table together, and get none at all.
    //
    // Invariants, under the lock, as long as callers pair get and done
    //   Q1  entries holds exactly the items that are dirty or processing (and, where items can be delayed, those).
    //   Q2  The line holds each entry at most once: those that are dirty and not processing (I3: one worker at a time).
    //   Q3  What is added while processing is marked dirty only; done puts it into the line (I3: once more).
    //   Q4  An entry that enters the line wakes one worker; shutting down wakes all of them.
    //   Q5  A draining thread waits until entries is empty; removing the last entry signals it.
    // One lock; under it run only the items' equals and hashCode, the clock and, if the user gave one, the QueueOrder.
    // The limiter is called before, metrics are called after (I13). No other lock is taken under it; HeapDelayingQueue
    // takes it under its own.
    // Any thread may call any method; workers block in get, one that shuts down may block in shutDownWithDrain.

    /**
     * The state of one item in the queue. Guarded by the queue's lock.
     *
     * @param <T> the type of the item
     */
    static class Entry<T> extends IndexedHeap.Node {
        final T item;
        boolean dirty;
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
    final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition drained = lock.newCondition();

    /** Guarded by lock. */
    final ShrinkingMap<T, E> entries = new ShrinkingMap<>();

    /** Guarded by lock. */
    private boolean shuttingDown;

    /** Guarded by lock; a shutDown without drain ends the wait of those who drain already. */
    private int hardShutDowns;

    /** Set by the constructor of the kind of queue, or never; null together with metrics. */
    private @Nullable QueueMeter meter;

    private @Nullable QueueMetrics metrics;

    AbstractWorkQueue(WorkQueueConfig config) {
        name = config.name();
    }

    /** Registers the metrics; last in the constructor of a kind of queue, as the gauges may be asked from here on. */
    final void register(WorkQueueConfig config) {
        QueueMetricsProvider provider = config.metrics();
        if (provider != null && !name.isEmpty()) {
            meter = new QueueMeter(lock, config.clock(), this::length, this::lengthByPriority);
            metrics = UserCode.guard(provider.register(name, meter));
        }
    }

    // The line: four steps that a kind of queue supplies. All are called under the lock.

    /** Makes the entry of an item that is not known; it is neither dirty nor processing. */
    abstract E newEntry(T item);

    /** Puts a dirty entry into the line. */
    abstract void push(E entry);

    /** Takes the next entry out of the line, which is not empty. */
    abstract E pop();

    /** Returns how many entries are in the line. */
    abstract int lineLength();

    /** Called when an item is added that is in the line already. */
    void touch(E entry) {}

    /** Called when the first shutdown begins. */
    void onShutDown() {}

    /** Runs before a worker takes an entry; called without the lock. */
    void beforeWaiting() {}

    /** Returns how many entries of each priority are in the line; called without the lock. */
    Map<Integer, Integer> lengthByPriority() {
        int length = length();
        return length == 0 ? Map.of() : Map.of(0, length);
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

    /** The outcome of an add. */
    enum Added {
        /** The item is ready, or will be with done. */
        NEW,
        /** The item was ready already. */
        KNOWN,
        /** The queue is shutting down. */
        REFUSED
    }

    @Override
    public void add(T item) {
        if (offer(item) == Added.NEW) {
            tellAdded();
        }
    }

    /** Adds the item, and reports nothing to the metrics: after {@link Added#NEW} the caller calls tellAdded. */
    final Added offer(T item) {
        Objects.requireNonNull(item, "item");
        lock.lock();
        try {
            if (shuttingDown) {
                return Added.REFUSED;
            }
            return markDirty(item) ? Added.NEW : Added.KNOWN;
        } finally {
            lock.unlock();
        }
    }

    private boolean markDirty(T item) {
        E entry = entry(item);
        if (entry.dirty) {
            if (!entry.processing) {
                touch(entry);
            }
            return false;
        }
        markDirty(entry);
        return true;
    }

    /** Returns the item's entry, new if there was none. Under the lock. */
    final E entry(T item) {
        E entry = entries.get(item);
        if (entry == null) {
            entry = newEntry(item);
            entries.put(item, entry);
        }
        return entry;
    }

    /** Marks an entry that is not dirty; it enters the line, or will with done. Under the lock. */
    final void markDirty(E entry) {
        entry.dirty = true;
        if (meter != null) {
            meter.markAdded(entry);
        }
        if (!entry.processing) {
            enqueue(entry);
        }
    }

    /** Called without the lock. */
    final void tellAdded() {
        if (metrics != null) {
            metrics.added();
        }
    }

    private void enqueue(E entry) {
        boolean pushed = false;
        try {
            push(entry);
            pushed = true;
        } finally {
            if (!pushed) {
                // The user's order refused it: gone, rather than marked and never handed out.
                entry.dirty = false;
                removeIfIdle(entry);
            }
        }
        notEmpty.signal();
    }

    @Override
    public @Nullable T get() throws InterruptedException {
        E entry = getEntry();
        return entry == null ? null : entry.item;
    }

    /** Takes the next entry; null when the queue is shut down and empty. Blocks. */
    final @Nullable E getEntry() throws InterruptedException {
        beforeWaiting();
        E entry;
        long waited = 0;
        lock.lockInterruptibly();
        try {
            while (lineLength() == 0) {
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
        return entry;
    }

    private E take() {
        E entry = pop();
        if (!entry.dirty) {
            // Only after a done without a get (WQ-06): the same entry stood in the line twice.
            entries.putIfAbsent(entry.item, entry);
            entry = entry(entry.item);
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
            E entry = entries.get(item);
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
                removeIfIdle(entry);
            }
        } finally {
            lock.unlock();
        }
        if (ended && metrics != null) {
            metrics.processed(Duration.ofNanos(worked));
        }
    }

    /** Returns whether nothing is left to do for an entry that is neither dirty nor processing. */
    boolean isIdle(E entry) {
        return true;
    }

    /** Forgets an entry for which nothing is to be done. Under the lock. */
    final void removeIfIdle(E entry) {
        if (!entry.dirty && !entry.processing && isIdle(entry)) {
            entries.remove(entry.item);
            if (entries.isEmpty()) {
                drained.signalAll();
            }
        }
    }

    @Override
    public int length() {
        lock.lock();
        try {
            return lineLength();
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
            hardShutDowns++;
            drained.signalAll();
        } finally {
            lock.unlock();
        }
        closeMetrics(first);
    }

    @Override
    public void shutDownWithDrain() throws InterruptedException {
        boolean first = false;
        // Not interruptibly: an interrupted caller does not wait, but still shuts the queue down.
        lock.lock();
        try {
            first = beginShutDown();
            int before = hardShutDowns;
            while (hardShutDowns == before && !entries.isEmpty()) {
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
        if (first) {
            onShutDown();
        }
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
