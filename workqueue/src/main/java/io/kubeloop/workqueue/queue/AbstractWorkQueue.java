package io.kubeloop.workqueue.queue;

import io.kubeloop.workqueue.AlarmClock;
import io.kubeloop.workqueue.QueueMetrics;
import io.kubeloop.workqueue.QueueMetricsProvider;
import io.kubeloop.workqueue.QueueTransition;
import io.kubeloop.workqueue.WorkQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.collection.ItemTable;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The common part of all work queues: the state of each item, the lock, and the shutdown (upstream:
 * {@code util/workqueue/queue.go}). A subclass supplies the order. Thread-safe.
 *
 * @param <T> the type of the items
 * @param <E> the type of the entry that holds the state of one item
 */
public abstract class AbstractWorkQueue<T, E extends AbstractWorkQueue.Entry<T>> implements WorkQueue<T> {

    // Upstream keeps a dirty set and a processing set beside the queue. Here one entry per item carries both marks. The
    // life of an item then costs three look-ups in the hash table: one in add, none in get, two in done.
    //
    // Invariants, under the lock, as long as callers pair get and done
    //   Q1  entries holds exactly the items that are dirty or processing, and in HeapPriorityQueue the delayed ones.
    //   Q2  The line holds exactly the entries that are dirty and not processing, each once (I3: one worker at a time).
    //   Q3  An add of an item in processing only marks it dirty; done puts it into the line (I3: once more).
    //   Q4  An entry that enters the line wakes one worker. A shutdown wakes all workers.
    //   Q5  A draining thread waits until entries is empty. The removal of the last entry signals it.
    //   Q6  A removed entry serves the next item, unless the line may still hold it. So no entry is used outside the
    // lock.
    // One lock. Under it run only equals and hashCode of the items, the clock, and the QueueOrder if there is one. The
    // limiter is called before it is taken, metrics after it is released (I13). No other lock is taken under it;
    // HeapDelayingQueue takes it under its own lock.
    // Any thread may call any method. Workers block in get; a caller of shutDownWithDrain may block too.

    /**
     * The state of one item in the queue. Guarded by the queue's lock.
     *
     * @param <T> the type of the item
     */
    static class Entry<T> extends ItemTable.Node<T> {
        boolean dirty;
        boolean processing;

        /** Whether a done without get may have left the entry in the line, where it must not serve another item. */
        boolean unpaired;

        /** The time at which the item became dirty; only if the queue has metrics. */
        long addedAt;

        /** The time at which the item was handed out; only if the queue has metrics. */
        long takenAt;
    }

    private final String name;
    private final AlarmClock clock;
    final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition drained = lock.newCondition();

    /** Guarded by lock. */
    final ItemTable<T, E> entries;

    /** Guarded by lock. */
    private boolean shuttingDown;

    /** The number of shutDown calls; each ends the wait of draining threads. Guarded by lock. */
    private int hardShutDowns;

    /** Set in the constructor, or never; null if and only if metrics is null. */
    private @Nullable QueueMeter meter;

    private @Nullable QueueMetrics metrics;

    AbstractWorkQueue(WorkQueueConfig config, Supplier<E> newEntry) {
        entries = new ItemTable<>(newEntry);
        name = config.name();
        clock = config.clock();
    }

    /** Registers the metrics. A subclass calls it last in its constructor, because gauges may be read from then on. */
    final void register(WorkQueueConfig config) {
        QueueMetricsProvider provider = config.metrics();
        if (provider != null && !name.isEmpty()) {
            meter = new QueueMeter(lock, config.clock(), this::length, this::lengthByPriority);
            metrics = new GuardedMetrics(provider.register(name, meter));
        }
    }

    // The line, which a subclass supplies. The next three methods, touch and onShutDown are called under the lock.

    /** Adds a dirty entry to the ready items. */
    abstract void push(E entry);

    /** Removes and returns the next entry; the line must not be empty. */
    abstract E pop();

    /** Returns the number of entries in the line. */
    abstract int lineLength();

    /** Called when an item is added that is already in the line. */
    void touch(E entry) {}

    /** Called when the first shutdown begins. */
    void onShutDown() {}

    /** A hook that runs before a worker takes an entry; called without the lock. */
    void beforeWaiting() {}

    /** Returns the number of entries in the line by priority. Called without the lock. */
    Map<Integer, Integer> lengthByPriority() {
        int length = length();
        return length == 0 ? Map.of() : Map.of(0, length);
    }

    @Override
    public String name() {
        return name;
    }

    /** Returns the metrics of this queue and of the queues that wrap it; null if there are none. */
    @Nullable
    QueueMetrics metrics() {
        return metrics;
    }

    /** The outcome of an add. */
    enum Added {
        /** The item is ready, or will be after done. */
        NEW,
        /** The item was ready already. */
        KNOWN,
        /** The queue is shutting down. */
        REFUSED
    }

    @Override
    public void add(T item) {
        onTransition(QueueTransition.ADDED, item);
        report(offer(item), item);
    }

    /** Reports the outcome of an {@link #offer}. Called without the lock. */
    final void report(Added added, T item) {
        if (added == Added.NEW) {
            countAdded();
        } else if (added == Added.KNOWN) {
            onTransition(QueueTransition.MERGED, item);
        }
    }

    final void onTransition(QueueTransition transition, T item) {
        if (metrics != null) {
            metrics.onTransition(transition, item);
        }
    }

    /** Adds the item without a report to the metrics. The caller must pass the outcome to report. */
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

    /** Returns the entry of the item; creates it if absent. Callers must hold the lock. */
    final E entry(T item) {
        E entry = entries.get(item);
        if (entry == null) {
            entry = entries.prepare(item);
            entries.link(entry);
        }
        return entry;
    }

    /** Marks a clean entry as dirty; it enters the line now, or with done. Callers must hold the lock. */
    final void markDirty(E entry) {
        entry.dirty = true;
        if (meter != null) {
            meter.markAdded(entry);
        }
        if (!entry.processing) {
            enqueue(entry);
        }
    }

    /** Reports an added item to the clock and the metrics. Called without the lock. */
    final void countAdded() {
        clock.workBegins();
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
                // The user's order threw. The item is removed; a marked item outside the line would never be handed
                // out.
                entry.dirty = false;
                removeIfIdle(entry);
            }
        }
        notEmpty.signal();
    }

    @Override
    public @Nullable T get() throws InterruptedException {
        return take(ItemTable.Node::item);
    }

    /**
     * Takes the next entry, and returns what the function reads from it under the lock; null if the queue is shut down and empty.
     * Blocks until an entry is ready.
     */
    final <R> @Nullable R take(Function<? super E, R> reader) throws InterruptedException {
        beforeWaiting();
        R taken;
        T item;
        long waited = 0;
        lock.lockInterruptibly();
        try {
            while (lineLength() == 0) {
                if (shuttingDown) {
                    return null;
                }
                notEmpty.await();
            }
            E entry = take();
            taken = reader.apply(entry);
            item = entry.item();
            if (meter != null) {
                waited = meter.markTaken(entry);
            }
        } finally {
            lock.unlock();
        }
        if (metrics != null) {
            metrics.taken(Duration.ofNanos(waited));
            metrics.onTransition(QueueTransition.TAKEN, item);
        }
        return taken;
    }

    private E take() {
        E entry = pop();
        if (!entry.dirty) {
            // The entry was in the line twice. This happens only if a caller calls done without get. The entry that the
            // item
            // has now may be in the line, too.
            entry = entry(entry.item());
            entry.unpaired = true;
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
            } else {
                entry.unpaired = true;
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
            metrics.onTransition(QueueTransition.DONE, item);
        }
        if (ended) {
            clock.workEnds();
        }
    }

    /** Returns whether an entry that is neither dirty nor processing can be removed. */
    boolean isIdle(E entry) {
        return true;
    }

    /** Removes an entry without pending work. Callers must hold the lock. */
    final void removeIfIdle(E entry) {
        if (!entry.dirty && !entry.processing && isIdle(entry)) {
            if (entry.unpaired) {
                entries.unlink(entry);
            } else {
                entries.remove(entry);
            }
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
        // Not lockInterruptibly: an interrupted caller must still shut the queue down.
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
