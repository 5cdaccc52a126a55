package io.kubeloop.workqueue.queue;

import io.kubeloop.workqueue.AddOptions;
import io.kubeloop.workqueue.Prioritized;
import io.kubeloop.workqueue.PriorityWorkQueue;
import io.kubeloop.workqueue.QueueMetrics;
import io.kubeloop.workqueue.RateLimiter;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.collection.IndexedHeap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A queue of two heaps: what waits for its time, and what waits for a worker. Thread-safe.
 *
 * @param <T> the type of the items
 */
public final class HeapPriorityQueue<T> extends AbstractWorkQueue<T, HeapPriorityQueue.Entry<T>>
        implements PriorityWorkQueue<T> {

    // Invariants, beside Q1 to Q5, under the lock
    //   P1  An entry is in at most one heap: in `delayed` if it waits for its time, in `line` if it is dirty and not
    //       processing, else in none. A delayed entry is not dirty; it may be processing.
    //   P2  An entry keeps the highest priority and the earliest time of all adds since it was last handed out.
    //   P3  If `delayed` is not empty, the alarm is set for its earliest time or before, or its action is yet to run on
    //       (as D2 of HeapDelayingQueue).
    //   P4  After shutting down `delayed` stays empty: what was in it is in `dropped`.
    // The rate limiter, the alarm and metrics are called without the lock.
    // addDue runs on the alarm's thread, everything else on any.

    /**
     * The state of one item in the queue. Guarded by the queue's lock.
     *
     * @param <T> the type of the item
     */
    static final class Entry<T> extends AbstractWorkQueue.Entry<T> {

        /** Means something while dirty or delayed. */
        int priority;

        /** Means something while processing: the priority at which it was handed out. */
        int takenPriority;

        /** Whether it waits for its time. */
        boolean delayed;

        /** Means something while delayed. */
        long readyAt;

        /** Its turn among equals. */
        long sequence;

        Entry(T item) {
            super(item);
        }
    }

    private static final Comparator<Entry<?>> HIGHEST_FIRST = (one, other) -> {
        int byPriority = Integer.compare(other.priority, one.priority);
        return byPriority != 0 ? byPriority : Long.signum(one.sequence - other.sequence);
    };

    private static final Comparator<Entry<?>> EARLIEST_FIRST = (one, other) -> {
        int byTime = Long.signum(one.readyAt - other.readyAt);
        return byTime != 0 ? byTime : HIGHEST_FIRST.compare(one, other);
    };

    private final RateLimiter<? super T> limiter;
    private final DelayAlarm alarm;

    /** Guarded by lock. */
    private final IndexedHeap<Entry<T>> line = new IndexedHeap<>(HIGHEST_FIRST);

    /** Guarded by lock. */
    private final PriorityCounts depths = new PriorityCounts();

    /** Guarded by lock. */
    private final IndexedHeap<Entry<T>> delayed = new IndexedHeap<>(EARLIEST_FIRST);

    /** Guarded by lock. */
    private final List<T> dropped = new ArrayList<>();

    /** Guarded by lock. */
    private long nextSequence;

    /** Makes one; {@link io.kubeloop.workqueue.WorkQueues} describes the parameters. */
    public HeapPriorityQueue(WorkQueueConfig config, RateLimiter<? super T> limiter) {
        super(config);
        this.limiter = Objects.requireNonNull(limiter, "limiter");
        alarm = new DelayAlarm(config.clock(), name(), this::addDue);
        register(config);
    }

    @Override
    public void add(T item) {
        addWithOptions(item, AddOptions.DEFAULT);
    }

    @Override
    public void addAfter(T item, Duration delay) {
        addWithOptions(item, AddOptions.DEFAULT.withAfter(delay));
    }

    @Override
    public void addRateLimited(T item) {
        addWithOptions(item, AddOptions.DEFAULT.withRateLimited(true));
    }

    @Override
    public void retry(T item) {
        addWithOptions(item, AddOptions.ofPriority(takenPriority(item)).withRateLimited(true));
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

    @Override
    public void addWithOptions(T item, AddOptions options) {
        Objects.requireNonNull(item, "item");
        if (isShuttingDown()) {
            return;
        }
        long delay = DelayAlarm.nanos(delay(item, options));
        if (delay <= 0) {
            if (addNow(item, options.priority())) {
                tellAdded();
            }
            beforeWaiting();
            return;
        }
        QueueMetrics metrics = metrics();
        if (metrics != null) {
            metrics.retried(Duration.ofNanos(delay));
        }
        schedule(item, options.priority(), alarm.nanoTime() + delay);
        setAlarm();
    }

    private Duration delay(T item, AddOptions options) {
        Duration after = options.after();
        if (!options.rateLimited()) {
            return after;
        }
        Duration limited = limiter.when(item);
        boolean asked = !after.isNegative() && !after.isZero();
        return asked && after.compareTo(limited) < 0 ? after : limited;
    }

    /** Returns whether the item is ready, and was not before. */
    private boolean addNow(T item, int priority) {
        lock.lock();
        try {
            if (isShuttingDown()) {
                return false;
            }
            Entry<T> entry = entry(item);
            if (entry.dirty) {
                raise(entry, priority);
                return false;
            }
            if (entry.delayed) {
                delayed.remove(entry);
                entry.delayed = false;
                entry.priority = Math.max(entry.priority, priority);
            } else {
                entry.priority = priority;
            }
            markReady(entry);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void schedule(T item, int priority, long readyAt) {
        lock.lock();
        try {
            if (isShuttingDown()) {
                return;
            }
            Entry<T> entry = entry(item);
            if (entry.dirty) {
                // It is ready, which is earlier than any time.
                raise(entry, priority);
            } else if (!entry.delayed) {
                entry.priority = priority;
                entry.readyAt = readyAt;
                entry.sequence = nextSequence++;
                delay(entry);
            } else {
                entry.priority = Math.max(entry.priority, priority);
                entry.readyAt = readyAt - entry.readyAt < 0 ? readyAt : entry.readyAt;
                delayed.update(entry);
            }
        } finally {
            lock.unlock();
        }
    }

    private void delay(Entry<T> entry) {
        try {
            delayed.push(entry);
            entry.delayed = true;
        } finally {
            removeIfIdle(entry); // it is, if the heap could not grow for want of memory
        }
    }

    private void raise(Entry<T> entry, int priority) {
        if (priority <= entry.priority) {
            return;
        }
        if (entry.isInHeap()) {
            depths.decrement(entry.priority);
            depths.increment(priority);
        }
        entry.priority = priority;
        entry.sequence = nextSequence++;
        if (entry.isInHeap()) {
            line.update(entry);
        }
    }

    private void markReady(Entry<T> entry) {
        entry.sequence = nextSequence++;
        markDirty(entry);
    }

    /** Moves the items whose time has come. */
    private void addDue() {
        long now = alarm.nanoTime();
        try {
            while (moveNextDue(now)) {
                tellAdded();
            }
        } finally {
            setAlarm();
        }
    }

    private void setAlarm() {
        Long next = earliest();
        if (next != null) {
            alarm.ringAt(next);
        }
    }

    @Override
    void beforeWaiting() {
        if (alarm.isUnset()) {
            alarm.retry(this::setAlarm);
        }
    }

    private boolean moveNextDue(long now) {
        lock.lock();
        try {
            if (delayed.isEmpty() || delayed.first().readyAt - now > 0) {
                return false;
            }
            Entry<T> entry = delayed.pop();
            entry.delayed = false;
            markReady(entry);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Long earliest() {
        lock.lock();
        try {
            return delayed.isEmpty() ? null : delayed.first().readyAt;
        } finally {
            lock.unlock();
        }
    }

    @Override
    Entry<T> newEntry(T item) {
        return new Entry<>(item);
    }

    @Override
    void push(Entry<T> entry) {
        if (!entry.isInHeap()) {
            depths.increment(entry.priority); // first: if memory is short here, the entry is not in line
            line.push(entry);
        }
    }

    @Override
    Entry<T> pop() {
        Entry<T> entry = line.pop();
        depths.decrement(entry.priority);
        entry.takenPriority = entry.priority;
        return entry;
    }

    @Override
    int lineLength() {
        return line.size();
    }

    @Override
    boolean isIdle(Entry<T> entry) {
        return !entry.delayed;
    }

    @Override
    void onShutDown() {
        while (!delayed.isEmpty()) {
            Entry<T> entry = delayed.pop();
            entry.delayed = false;
            dropped.add(entry.item);
            removeIfIdle(entry);
        }
    }

    @Override
    Map<Integer, Integer> lengthByPriority() {
        lock.lock();
        try {
            return depths.snapshot();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable Prioritized<T> getWithPriority() throws InterruptedException {
        Entry<T> entry = getEntry();
        // Read without the lock: it changes only when the item is handed out again, which needs its done first.
        return entry == null ? null : new Prioritized<>(entry.item, entry.takenPriority);
    }

    @Override
    public void forget(T item) {
        limiter.forget(item);
    }

    @Override
    public int numRequeues(T item) {
        return limiter.numRequeues(item);
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
    public void shutDown() {
        super.shutDown();
        alarm.close();
    }

    @Override
    public void shutDownWithDrain() throws InterruptedException {
        try {
            super.shutDownWithDrain();
        } finally {
            alarm.close();
        }
    }

    /** How many items each priority has. Not thread-safe: confined to the lock of its owner. */
    private static final class PriorityCounts {

        private final TreeMap<Integer, int[]> counts = new TreeMap<>(Comparator.reverseOrder());

        void increment(int priority) {
            counts.computeIfAbsent(priority, none -> new int[1])[0]++;
        }

        void decrement(int priority) {
            counts.computeIfPresent(priority, (same, count) -> --count[0] == 0 ? null : count);
        }

        /** Returns a copy, highest priority first; those without items are absent. O(n) in the priorities. */
        Map<Integer, Integer> snapshot() {
            TreeMap<Integer, Integer> copy = new TreeMap<>(counts.comparator());
            counts.forEach((priority, count) -> copy.put(priority, count[0]));
            return Collections.unmodifiableMap(copy);
        }
    }
}
