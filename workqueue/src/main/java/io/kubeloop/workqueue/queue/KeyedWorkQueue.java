/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.Durations;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import io.kubeloop.runtime.collection.IndexedHeap;
import io.kubeloop.runtime.collection.ItemTable;
import io.kubeloop.workqueue.AddOptions;
import io.kubeloop.workqueue.Prioritized;
import io.kubeloop.workqueue.PriorityWorkQueue;
import io.kubeloop.workqueue.QueueOrder;
import io.kubeloop.workqueue.QueueTransition;
import io.kubeloop.workqueue.RateLimiter;
import io.kubeloop.workqueue.SyncFailureListener;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one implementation of all queues: a table of the items, a line of the ready ones and a heap of the delayed ones,
 * under one lock (upstream: {@code queue.go}, {@code delaying_queue.go} and {@code rate_limiting_queue.go} of {@code
 * util/workqueue}, and controller-runtime's {@code priorityqueue}). Thread-safe.
 *
 * <p>This class is long because one lock guards all states of an item: a second class would share it.
 *
 * @param <T> the type of the items
 */
public final class KeyedWorkQueue<T> implements PriorityWorkQueue<T> {

    /*
     * Upstream keeps a dirty set and a processing set beside the queue, and passes delayed items to a goroutine through
     * a channel. Here one entry per item carries all marks, and the caller itself puts a delayed item into the heap: no
     * buffer can overflow. The life of an item costs three look-ups in the table: one in add, none in get, two in done.
     *
     * Invariants, under the lock
     *   Q1  entries holds exactly the items that are dirty, processing or delayed.
     *   Q2  The line holds exactly the entries that are dirty and not processing, each once (I3: one worker at a time).
     *   Q3  An add of an item in processing only marks it dirty; done puts it into the line (I3: once more). A done of
     *       an item that is not in processing has no effect.
     *   Q4  An entry that enters the line wakes one worker. A shutdown wakes all workers.
     *   Q5  A draining thread waits until entries is empty. The removal of the last entry signals it.
     *   Q6  The heap holds exactly the delayed entries, each with the earliest of its times. In a queue with priorities
     *       a delayed entry is not dirty, so an entry is in one of line and heap; it keeps the highest priority of all
     *       adds since it was last handed out.
     *   Q7  When addAfter returns normally, the alarm is set for the earliest time in the heap or before, or its action
     *       has not finished yet. Every caller sets the alarm for the earliest time after it released the lock, because
     *       the caller with the earliest item may not have set it yet. The action sets it for the remaining items, even
     *       if a push throws. If the scheduler throws, addAfter takes its item back, unless another call delayed it,
     *       too.
     *   Q8  A due item moves from the heap to the line in one critical section, so no item is lost (I12). If the
     *       QueueOrder throws, the item leaves the queue as in add, and the scheduler's thread receives the error.
     *   Q9  The shutdown moves the delayed items to `dropped`; the heap stays empty.
     *   Q10 An item counts as work from before it enters the line until its done has returned. So a clock that waits
     *       for the end of all work never finds that a worker has ended an item that is not counted yet.
     * One lock. Under it run only equals, hashCode and toString of the items, nanoTime and the work counter of the
     * scheduler, and the QueueOrder if there is one. The limiter is called before it is taken, metrics and the alarm
     * after it is released (I13).
     * Any thread may call any method. Workers block in get; a caller of shutDownWithDrain may block too. addDue runs on
     * the scheduler's thread.
     */

    private static final Comparator<Entry<?>> EARLIEST_FIRST = (one, other) -> {
        int byTime = Long.signum(one.readyAt - other.readyAt);
        if (byTime != 0) {
            return byTime;
        }
        int byPriority = Integer.compare(other.priority, one.priority);
        return byPriority != 0 ? byPriority : Long.signum(one.delaySequence - other.delaySequence);
    };

    private final String name;
    private final Scheduler scheduler;
    private final RateLimiter<? super T> limiter;
    private final @Nullable SyncFailureListener<Object> failures;

    /** Whether items have priorities, and are either ready or delayed, never both. */
    private final boolean prioritized;

    private final EarliestAlarm alarm;
    final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition drained = lock.newCondition();

    @GuardedBy("lock")
    private final ItemTable<T, Entry<T>> entries;

    @GuardedBy("lock")
    private final ReadyLine<T> line;

    @GuardedBy("lock")
    private final IndexedHeap<Entry<T>> delayed = new IndexedHeap<>(EARLIEST_FIRST);

    @GuardedBy("lock")
    private final List<T> dropped = new ArrayList<>();

    @GuardedBy("lock")
    private long nextSequence;

    @GuardedBy("lock")
    private boolean shuttingDown;

    /** The number of shutDown calls; each ends the wait of draining threads. */
    @GuardedBy("lock")
    private int hardShutDowns;

    /** Null if the queue has no metrics and nobody counts its items. */
    private final @Nullable QueueMeter meter;

    private KeyedWorkQueue(
            WorkQueueConfig config,
            RateLimiter<? super T> limiter,
            ItemTable<T, Entry<T>> entries,
            ReadyLine<T> line,
            boolean prioritized) {
        this.name = config.name();
        this.scheduler = config.scheduler();
        this.limiter = Objects.requireNonNull(limiter, "limiter");
        this.failures = config.failures();
        this.entries = entries;
        this.line = line;
        this.prioritized = prioritized;
        alarm = new EarliestAlarm(scheduler, this::addDue);
        meter = QueueMeter.of(config, lock, this::length, this::lengthByPriority);
    }

    /** Creates a queue that hands out items in the order of their adds. */
    public static <T> KeyedWorkQueue<T> fifo(WorkQueueConfig config, RateLimiter<? super T> limiter) {
        return new KeyedWorkQueue<>(config, limiter, new ItemTable<>(Entry::new), new ReadyLine.Fifo<>(), false);
    }

    /** Creates a queue with the order of a user. */
    public static <T> KeyedWorkQueue<T> ordered(
            WorkQueueConfig config, RateLimiter<? super T> limiter, QueueOrder<T> order) {
        ItemTable<T, Entry<T>> entries = new ItemTable<>(Entry::new);
        return new KeyedWorkQueue<>(
                config, limiter, entries, new ReadyLine.Ordered<>(config.name(), order, entries), false);
    }

    /** Creates a queue with priorities. */
    public static <T> KeyedWorkQueue<T> prioritized(WorkQueueConfig config, RateLimiter<? super T> limiter) {
        return new KeyedWorkQueue<>(config, limiter, new ItemTable<>(Entry::new), new ReadyLine.Prioritized<>(), true);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Scheduler scheduler() {
        return scheduler;
    }

    @Override
    public void add(T item) {
        addNow(item, 0);
    }

    @Override
    public void addAfter(T item, Duration delay) {
        addAfter(item, 0, delay);
    }

    @Override
    public void addRateLimited(T item) {
        addAfter(item, 0, limiter.when(item));
    }

    @Override
    public Duration retry(T item) {
        Duration delay = limiter.when(item);
        addAfter(item, takenPriority(item), delay);
        reportFailure(item);
        return delay;
    }

    @Override
    public void addWithOptions(T item, AddOptions options) {
        Duration after = options.after();
        if (options.rateLimited()) {
            Duration limited = limiter.when(item);
            boolean requested = !after.isNegative() && !after.isZero();
            after = requested ? Durations.least(after, limited) : limited;
        }
        addAfter(item, options.priority(), after);
    }

    private int takenPriority(T item) {
        lock.lock();
        try {
            Entry<T> entry = entries.get(item);
            return entry != null && entry.processing ? entry.takenPriority : 0;
        } finally {
            lock.unlock();
        }
    }

    private void addAfter(T item, int priority, Duration delay) {
        Objects.requireNonNull(item, "item");
        if (isShuttingDown()) {
            return;
        }
        boolean now = delay.isNegative() || delay.isZero();
        if (meter != null && !(now && prioritized)) {
            meter.delayed(item, now ? Duration.ZERO : delay);
        }
        if (now) {
            addNow(item, priority);
        } else {
            long sequence = putIntoHeap(item, priority, scheduler.nanoTime() + Durations.delayNanos(delay));
            boolean isSet = false;
            try {
                setAlarm();
                isSet = true;
            } finally {
                if (!isSet) {
                    takeBack(item, sequence);
                }
            }
        }
    }

    private void addNow(T item, int priority) {
        Objects.requireNonNull(item, "item");
        onTransition(QueueTransition.ADDED, item);
        boolean known;
        lock.lock();
        try {
            if (shuttingDown) {
                return;
            }
            Entry<T> entry = entry(item);
            known = entry.dirty;
            if (known) {
                addAgain(entry, priority);
            } else {
                boolean waits = entry.delayed && prioritized;
                if (waits) {
                    delayed.remove(entry);
                    entry.delayed = false;
                }
                entry.priority = waits ? Math.max(entry.priority, priority) : priority;
                markDirty(entry);
            }
        } finally {
            lock.unlock();
        }
        reportAdd(known, item);
    }

    private void reportAdd(boolean known, T item) {
        if (known) {
            onTransition(QueueTransition.MERGED, item);
        } else if (meter != null) {
            meter.added();
        }
    }

    private void onTransition(QueueTransition transition, T item) {
        if (meter != null) {
            meter.onTransition(transition, item);
        }
    }

    /** Delays the item. Returns the sequence of its entry; -1 if this call did not put it into the heap. */
    private long putIntoHeap(T item, int priority, long readyAt) {
        lock.lock();
        try {
            if (shuttingDown) {
                return -1;
            }
            Entry<T> entry = entry(item);
            if (entry.dirty && prioritized) {
                addAgain(entry, priority); // the item is ready, so its delay is irrelevant
            } else if (!entry.delayed) {
                entry.priority = priority;
                entry.readyAt = readyAt;
                entry.delaySequence = nextSequence++;
                entry.delayed = true;
                entry.delayedAgain = false;
                delayed.push(entry);
                return entry.delaySequence;
            } else {
                entry.delayedAgain = true;
                entry.priority = Math.max(entry.priority, priority);
                if (readyAt - entry.readyAt < 0) {
                    entry.readyAt = readyAt;
                    entry.delaySequence = nextSequence++;
                }
                delayed.update(entry);
            }
            return -1;
        } finally {
            lock.unlock();
        }
    }

    /** Removes a delayed item whose alarm cannot be set, unless another call relies on it. */
    private void takeBack(T item, long sequence) {
        lock.lock();
        try {
            Entry<T> entry = entries.get(item);
            if (entry != null && entry.delayed && !entry.delayedAgain && entry.delaySequence == sequence) {
                delayed.remove(entry);
                entry.delayed = false;
                removeIfIdle(entry);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the entry of the item; creates it if absent. */
    @GuardedBy("lock")
    private Entry<T> entry(T item) {
        Entry<T> entry = entries.get(item);
        if (entry == null) {
            entry = entries.add(item);
        }
        return entry;
    }

    @GuardedBy("lock")
    private void addAgain(Entry<T> entry, int priority) {
        boolean raised = priority > entry.priority;
        if (entry.processing && raised) {
            entry.priority = priority;
            entry.readySequence = nextSequence++;
        } else if (!entry.processing) {
            if (raised) {
                line.raise(entry, priority, nextSequence++);
            }
            line.touch(entry);
        }
    }

    /** Marks a clean entry as dirty; it enters the line now, or with done. */
    @GuardedBy("lock")
    private void markDirty(Entry<T> entry) {
        entry.readySequence = nextSequence++;
        entry.dirty = true;
        if (meter != null) {
            meter.markAdded(entry);
        }
        if (!entry.processing) {
            putIntoLine(entry);
        }
    }

    @GuardedBy("lock")
    private void putIntoLine(Entry<T> entry) {
        boolean pushed = false;
        try {
            line.push(entry);
            pushed = true;
        } finally {
            if (!pushed) {
                entry.dirty = false; // a marked item outside the line would never be handed out
                if (meter != null) {
                    meter.unmarkAdded();
                }
                removeIfIdle(entry);
            }
        }
        notEmpty.signal();
    }

    @GuardedBy("lock")
    private void removeIfIdle(Entry<T> entry) {
        if (!entry.dirty && !entry.processing && !entry.delayed) {
            entries.remove(entry);
            if (entries.isEmpty()) {
                drained.signalAll();
            }
        }
    }

    /** Moves all due items to the line, and sets the alarm for the next one. */
    private void addDue() {
        long now = scheduler.nanoTime();
        try {
            while (moveNextDue(now)) {
                // The condition does the work.
            }
        } finally {
            setAlarm();
        }
    }

    private void setAlarm() {
        long earliest;
        lock.lock();
        try {
            if (delayed.isEmpty()) {
                return;
            }
            earliest = delayed.first().readyAt;
        } finally {
            lock.unlock();
        }
        alarm.set(earliest);
    }

    /** Moves the next due item to the line; returns false if no item is due. */
    private boolean moveNextDue(long now) {
        boolean known;
        T item;
        lock.lock();
        try {
            if (delayed.isEmpty() || delayed.first().readyAt - now > 0) {
                return false;
            }
            Entry<T> entry = delayed.pop();
            entry.delayed = false;
            item = entry.item();
            known = entry.dirty;
            if (known) {
                addAgain(entry, entry.priority);
            } else {
                markDirty(entry);
            }
        } finally {
            lock.unlock();
        }
        onTransition(QueueTransition.ADDED, item);
        reportAdd(known, item);
        return true;
    }

    @Override
    public @Nullable T get() throws InterruptedException {
        return take(ItemTable.Node::item);
    }

    @Override
    public @Nullable Prioritized<T> getWithPriority() throws InterruptedException {
        return take(entry -> new Prioritized<>(entry.item(), entry.takenPriority));
    }

    /**
     * Takes the next entry, and returns what the function reads from it under the lock; null if shut down and empty.
     */
    private <R> @Nullable R take(Function<? super Entry<T>, R> reader) throws InterruptedException {
        R taken;
        T item;
        long waited = 0;
        lock.lockInterruptibly();
        try {
            while (line.size() == 0) {
                if (shuttingDown) {
                    return null;
                }
                notEmpty.await();
            }
            Entry<T> entry = line.pop();
            entry.dirty = false;
            entry.processing = true;
            entry.takenPriority = entry.priority;
            taken = reader.apply(entry);
            item = entry.item();
            if (meter != null) {
                waited = meter.markTaken(entry);
            }
        } finally {
            lock.unlock();
        }
        if (meter != null) {
            meter.taken(item, waited);
        }
        return taken;
    }

    @Override
    public void done(T item) {
        long worked = 0;
        lock.lock();
        try {
            Entry<T> entry = entries.get(item);
            if (entry == null || !entry.processing) {
                return;
            }
            entry.processing = false;
            if (meter != null) {
                worked = meter.markDone(entry);
            }
            if (entry.dirty) {
                putIntoLine(entry);
            } else {
                removeIfIdle(entry);
            }
        } finally {
            lock.unlock();
        }
        if (meter != null) {
            meter.done(item, worked);
        }
    }

    @Override
    public void forget(T item) {
        limiter.forget(item);
        reportFailure(item);
    }

    /** Reports the failure because of which a worker calls, if there is one. */
    private void reportFailure(T item) {
        FailedSync failure = failures == null ? null : FailedSync.current();
        if (failures != null && failure != null) {
            UserCallbacks.run(() -> failures.failed(item, failure.error(), failure.retries(), failure.willRetry()));
        }
    }

    @Override
    public int numRequeues(T item) {
        return limiter.numRequeues(item);
    }

    @Override
    public int length() {
        lock.lock();
        try {
            return line.size();
        } finally {
            lock.unlock();
        }
    }

    private Map<Integer, Integer> lengthByPriority() {
        lock.lock();
        try {
            return line.sizes();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int delayed() {
        lock.lock();
        try {
            return delayed.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<T> dropped() {
        lock.lock();
        try {
            return List.copyOf(dropped);
        } finally {
            lock.unlock();
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

    @Override
    public void shutDown() {
        boolean first;
        lock.lock();
        try {
            first = !shuttingDown;
            beginShutDown();
            hardShutDowns++;
            drained.signalAll();
        } finally {
            lock.unlock();
        }
        endShutDown(first);
    }

    @Override
    public void shutDownWithDrain() throws InterruptedException {
        boolean first = false;
        // Not lockInterruptibly: an interrupted caller must still shut the queue down.
        lock.lock();
        try {
            first = !shuttingDown;
            beginShutDown();
            int before = hardShutDowns;
            while (hardShutDowns == before && !entries.isEmpty()) {
                drained.await();
            }
        } finally {
            lock.unlock();
            endShutDown(first);
        }
    }

    @GuardedBy("lock")
    private void beginShutDown() {
        shuttingDown = true;
        while (!delayed.isEmpty()) {
            Entry<T> entry = delayed.pop();
            entry.delayed = false;
            dropped.add(entry.item());
            removeIfIdle(entry);
        }
        notEmpty.signalAll();
    }

    /** Cancels the alarm, and closes the metrics after the first shutdown. */
    private void endShutDown(boolean first) {
        alarm.cancel();
        if (first && meter != null) {
            meter.close();
        }
    }
}
