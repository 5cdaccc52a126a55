package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A work queue with a heap of items beside it that are added when their time comes (upstream:
 * {@code util/workqueue/delaying_queue.go}). Thread-safe.
 *
 * @param <T> the type of the items
 */
final class HeapDelayingQueue<T> implements DelayingQueue<T> {

    // Upstream hands delayed items to a goroutine through a channel of 1000, and wakes it every 10 s as an insurance.
    // Here the caller puts the item into the heap itself: nothing can overflow, so nothing is lost and nobody blocks.
    //
    // Invariants, under the lock
    //   D1  An item is in the heap at most once, with the earliest time asked for (DQ-02).
    //   D2  Before addAfter returns, the alarm is set for the earliest time in the heap or before, or its action is
    //       yet to run on. Everybody sets it, after unlocking, whether his item is the earliest or not: the one whose
    //       item is may not have come so far, and nobody's item waits for another caller. The alarm keeps the earliest
    //       of all settings, so their order does not matter. The action sets it for what is left, even if adding
    //       throws.
    //   D3  After closed, the heap is empty for good: what was in it, and what came due after the inner queue was shut
    //       down, is in `dropped`, so that whatever was delayed is handed out or reported (I12).
    // The lock is never held while the inner queue, the alarm or metrics are called: no lock order to keep.
    // addDue runs on the alarm's thread, everything else on any.

    /** About 146 years: keeps the sum with any clock reading in the range in which differences are right. */
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private static final Duration LONGEST = Duration.ofNanos(LONGEST_NANOS);

    private final AbstractWorkQueue<T, ?> queue;
    private final AlarmClock clock;
    private final AlarmClock.Alarm alarm;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final DelayHeap<T> heap = new DelayHeap<>();

    /** Guarded by lock. */
    private final List<T> dropped = new ArrayList<>();

    /** Guarded by lock. */
    private boolean closed;

    HeapDelayingQueue(AbstractWorkQueue<T, ?> queue, AlarmClock clock) {
        this.queue = queue;
        this.clock = clock;
        alarm = clock.newAlarm(alarmName(name()), this::addDue);
    }

    /** Returns what the alarm of a queue of this name is called. */
    static String alarmName(String queue) {
        return "kubeloop-delay" + (queue.isEmpty() ? "" : "-" + queue);
    }

    @Override
    public void addAfter(T item, Duration delay) {
        Objects.requireNonNull(item, "item");
        if (isShuttingDown()) {
            return;
        }
        boolean now = delay.isNegative() || delay.isZero();
        QueueMetrics metrics = queue.metrics();
        if (metrics != null) {
            metrics.retried(now ? Duration.ZERO : delay);
        }
        if (now) {
            queue.add(item);
        } else {
            schedule(item, clock.nanoTime() + nanos(delay));
        }
    }

    /** Returns the delay in nanoseconds, at least 0, and cut to a length that no clock reading can make overflow. */
    static long nanos(Duration delay) {
        if (delay.isNegative()) {
            return 0;
        }
        return delay.compareTo(LONGEST) < 0 ? delay.toNanos() : LONGEST_NANOS;
    }

    private void schedule(T item, long readyAt) {
        long earliest;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            heap.offer(item, readyAt);
            earliest = heap.earliest();
        } finally {
            lock.unlock();
        }
        alarm.ringAt(earliest);
    }

    /** Adds the items whose time has come. */
    private void addDue() {
        long now = clock.nanoTime();
        try {
            for (T item = pollReady(now); item != null; item = pollReady(now)) {
                if (!queue.offer(item)) {
                    drop(item);
                }
            }
        } finally {
            setAlarmForNext();
        }
    }

    private @Nullable T pollReady(long now) {
        lock.lock();
        try {
            return heap.pollReady(now);
        } finally {
            lock.unlock();
        }
    }

    private void drop(T item) {
        lock.lock();
        try {
            dropped.add(item);
        } finally {
            lock.unlock();
        }
    }

    private void setAlarmForNext() {
        boolean empty;
        long next = 0;
        lock.lock();
        try {
            empty = heap.isEmpty();
            if (!empty) {
                next = heap.earliest();
            }
        } finally {
            lock.unlock();
        }
        if (!empty) {
            alarm.ringAt(next);
        }
    }

    @Override
    public void shutDown() {
        // First the inner queue: what becomes due from here on is refused, as upstream does.
        queue.shutDown();
        close();
    }

    @Override
    public void shutDownWithDrain() throws InterruptedException {
        try {
            queue.shutDownWithDrain();
        } finally {
            close();
        }
    }

    private void close() {
        lock.lock();
        try {
            closed = true;
            heap.drainTo(dropped);
        } finally {
            lock.unlock();
        }
        alarm.close();
    }

    @Override
    public String name() {
        return queue.name();
    }

    @Override
    public void add(T item) {
        queue.add(item);
    }

    @Override
    public @Nullable T get() throws InterruptedException {
        return queue.get();
    }

    @Override
    public void done(T item) {
        queue.done(item);
    }

    @Override
    public int length() {
        return queue.length();
    }

    @Override
    public int delayed() {
        lock.lock();
        try {
            return heap.size();
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
        return queue.isShuttingDown();
    }
}
