package io.kubeloop.workqueue.queue;

import io.kubeloop.workqueue.AddOptions;
import io.kubeloop.workqueue.Prioritized;
import io.kubeloop.workqueue.PriorityWorkQueue;
import io.kubeloop.workqueue.QueueMetrics;
import io.kubeloop.workqueue.QueueTransition;
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
 * A priority queue on two heaps: one holds the delayed items, the other the ready items. Thread-safe.
 *
 * @param <T> the type of the items
 */
public final class HeapPriorityQueue<T> extends AbstractWorkQueue<T, HeapPriorityQueue.Entry<T>>
        implements PriorityWorkQueue<T> {

    // Invariants, beside Q1 to Q5 of AbstractWorkQueue, under the lock
    //   P1  An entry is in at most one heap: in `delayed` if its flag `delayed` is set, in `line` if it is dirty and
    //       not processing, otherwise in none. A delayed entry is not dirty; it may be processing.
    //   P2  An entry keeps the highest priority and the earliest time of all adds since it was last handed out.
    //   P3  If `delayed` is not empty, the alarm is set for its earliest time or before, or its action has not finished
    //       yet (as in D2 of HeapDelayingQueue, with the same exception after a failure).
    //   P4  After the shutdown `delayed` stays empty; its items are in `dropped`.
    // The rate limiter, the alarm and metrics are called without the lock.
    // addDue runs on the alarm's thread, the other methods on any thread.

    /**
     * The state of one item in the queue. Guarded by the queue's lock.
     *
     * @param <T> the type of the item
     */
    static final class Entry<T> extends AbstractWorkQueue.Entry<T> {

        /** Valid while dirty or delayed. */
        int priority;

        /** The priority with which the item was handed out; valid while processing. */
        int takenPriority;

        /** True while the entry is in the heap of delayed items. */
        boolean delayed;

        /** The time at which the item is due; valid while delayed. */
        long readyAt;

        /** The position among entries of equal priority. */
        long sequence;
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

    /** Creates a queue; {@link io.kubeloop.workqueue.WorkQueues} describes the parameters. */
    public HeapPriorityQueue(WorkQueueConfig config, RateLimiter<? super T> limiter) {
        super(config, Entry::new);
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
            onTransition(QueueTransition.ADDED, item);
            report(addNow(item, options.priority()), item);
            beforeWaiting();
            return;
        }
        QueueMetrics metrics = metrics();
        if (metrics != null) {
            metrics.retried(Duration.ofNanos(delay));
            metrics.onTransition(QueueTransition.DELAYED, item);
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
        boolean requested = !after.isNegative() && !after.isZero();
        return requested && after.compareTo(limited) < 0 ? after : limited;
    }

    /** Makes the item ready. */
    private Added addNow(T item, int priority) {
        lock.lock();
        try {
            if (isShuttingDown()) {
                return Added.REFUSED;
            }
            Entry<T> entry = entry(item);
            if (entry.dirty) {
                raise(entry, priority);
                return Added.KNOWN;
            }
            if (entry.delayed) {
                delayed.remove(entry);
                entry.delayed = false;
                entry.priority = Math.max(entry.priority, priority);
            } else {
                entry.priority = priority;
            }
            markReady(entry);
            return Added.NEW;
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
                // The item is ready, so its delay is irrelevant.
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
            removeIfIdle(entry); // idle only if push threw, because memory was too short for the heap to grow
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

    /** Moves all due items to the line, and sets the alarm for the next one. */
    private void addDue() {
        long now = alarm.nanoTime();
        try {
            for (T item = moveNextDue(now); item != null; item = moveNextDue(now)) {
                onTransition(QueueTransition.ADDED, item);
                countAdded();
            }
        } finally {
            setAlarm();
        }
    }

    private void setAlarm() {
        boolean empty;
        long next = 0; // not boxed: after a failure for lack of memory the alarm must still be set
        lock.lock();
        try {
            empty = delayed.isEmpty();
            if (!empty) {
                next = delayed.first().readyAt;
            }
        } finally {
            lock.unlock();
        }
        if (!empty) {
            alarm.ringAt(next);
        }
    }

    @Override
    void beforeWaiting() {
        if (alarm.isUnset()) {
            alarm.retry(this::setAlarm);
        }
    }

    /** Moves the next due item to the line and returns it; null if no item is due. */
    private @Nullable T moveNextDue(long now) {
        lock.lock();
        try {
            if (delayed.isEmpty() || delayed.first().readyAt - now > 0) {
                return null;
            }
            Entry<T> entry = delayed.pop();
            try {
                markReady(entry); // its mark `delayed` keeps it known if the line cannot grow for lack of memory
            } finally {
                entry.delayed = false;
                if (!entry.dirty) {
                    entry.readyAt = now + DelayAlarm.RETRY_NANOS;
                    delay(entry);
                }
            }
            return entry.item();
        } finally {
            lock.unlock();
        }
    }

    @Override
    void push(Entry<T> entry) {
        if (!entry.isInHeap()) {
            depths.increment(entry.priority); // first: if memory is too short, the entry is not yet in line
            boolean pushed = false;
            try {
                line.push(entry);
                pushed = true;
            } finally {
                if (!pushed) {
                    depths.decrement(entry.priority);
                }
            }
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
            dropped.add(entry.item());
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
        return take(entry -> new Prioritized<>(entry.item(), entry.takenPriority));
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

    /** The number of items by priority. Not thread-safe: guarded by the lock of the queue. */
    private static final class PriorityCounts {

        /** So many counts stay when they become 0, for the next item: 64 bytes less per item of a priority that comes and goes. */
        private static final int KEPT = 16;

        private final TreeMap<Integer, int[]> counts = new TreeMap<>(Comparator.reverseOrder());

        void increment(int priority) {
            counts.computeIfAbsent(priority, none -> new int[1])[0]++;
        }

        void decrement(int priority) {
            int[] count = Objects.requireNonNull(counts.get(priority)); // incremented before
            if (--count[0] == 0 && counts.size() > KEPT) {
                counts.remove(priority);
            }
        }

        /** Returns a copy, highest priority first, without empty priorities. O(n) in the number of priorities. */
        Map<Integer, Integer> snapshot() {
            TreeMap<Integer, Integer> copy = new TreeMap<>(counts.comparator());
            counts.forEach((priority, count) -> {
                if (count[0] > 0) {
                    copy.put(priority, count[0]);
                }
            });
            return Collections.unmodifiableMap(copy);
        }
    }
}
