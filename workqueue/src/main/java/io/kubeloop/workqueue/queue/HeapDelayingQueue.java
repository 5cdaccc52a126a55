package io.kubeloop.workqueue.queue;

import io.kubeloop.workqueue.AlarmClock;
import io.kubeloop.workqueue.DelayingQueue;
import io.kubeloop.workqueue.QueueMetrics;
import io.kubeloop.workqueue.QueueTransition;
import io.kubeloop.workqueue.collection.DelayHeap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A delaying queue: a work queue, and a heap of delayed items that enter it when their time comes (upstream:
 * {@code util/workqueue/delaying_queue.go}). Thread-safe.
 *
 * @param <T> the type of the items
 */
public final class HeapDelayingQueue<T> implements DelayingQueue<T> {

    // Upstream passes delayed items to a goroutine through a channel of 1000, and wakes it every 10 s. Here the caller
    // puts the item into the heap, so no buffer can overflow and no item is lost.
    //
    // Invariants, under the lock
    //   D1  An item is in the heap at most once, with the earliest of its times.
    //   D2  When addAfter returns normally, the alarm is set for the earliest time in the heap or before, or its action
    //       has not finished yet. Every caller sets the alarm after it released the lock, even if its item is not the
    //       earliest, because the caller with the earliest item may not have set it yet. The alarm keeps the earliest
    //       setting, so the order of the callers does not matter. The action sets the alarm for the remaining items,
    //       even if an add throws. If the clock cannot start a thread, addAfter throws. The item stays in the heap, and
    //       the next add, addAfter or get sets the alarm; a worker that already blocks in get does not.
    //   D3  A due item moves from the heap to the queue, or to `dropped` after shutting down, in one critical section.
    //       So it is always in exactly one of the three (I12), and shutDown does not depend on the alarm's thread.
    //       If the queue cannot take it, because memory is short or the QueueOrder throws, it stays in the heap for a
    //       second.
    //   D4  After closed, the heap stays empty.
    // Lock order: this lock, then the lock of `queue`, which never calls back. Metrics and the alarm are called without
    // both locks.
    // addDue runs on the alarm's thread, the other methods on any thread.

    private final AbstractWorkQueue<T, ?> queue;
    private final DelayAlarm alarm;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final DelayHeap<T> heap = new DelayHeap<>();

    /** Guarded by lock. */
    private final List<T> dropped = new ArrayList<>();

    /** Guarded by lock. */
    private boolean closed;

    /** Creates a queue; {@link io.kubeloop.workqueue.WorkQueues} describes the parameters. */
    public HeapDelayingQueue(AbstractWorkQueue<T, ?> queue, AlarmClock clock) {
        this.queue = queue;
        alarm = new DelayAlarm(clock, name(), this::addDue);
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
            metrics.onTransition(QueueTransition.DELAYED, item);
        }
        if (now) {
            add(item);
        } else {
            schedule(item, alarm.nanoTime() + DelayAlarm.nanos(delay));
        }
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

    /** Moves all due items to the queue, and sets the alarm for the next one. */
    private void addDue() {
        long now = alarm.nanoTime();
        try {
            while (moveNextDue(now)) {
                // The condition does the work.
            }
        } finally {
            setAlarmForNext();
        }
    }

    /** Moves the next due item to the queue; returns false if no item is due. */
    private boolean moveNextDue(long now) {
        AbstractWorkQueue.Added added;
        T item;
        lock.lock();
        try {
            item = heap.peekReady(now);
            if (item == null) {
                return false;
            }
            boolean moved = false;
            try {
                added = queue.offer(item);
                if (added == AbstractWorkQueue.Added.REFUSED) {
                    dropped.add(item);
                }
                heap.pollReady(now); // last: an item that the queue could not take stays here
                moved = true;
            } finally {
                if (!moved) {
                    heap.postponeFirst(now + DelayAlarm.RETRY_NANOS);
                }
            }
        } finally {
            lock.unlock();
        }
        queue.onTransition(QueueTransition.ADDED, item);
        queue.report(added, item);
        return true;
    }

    /** Sets the alarm again if the last setting failed. */
    private void setUnsetAlarm() {
        if (alarm.isUnset()) {
            alarm.retry(this::setAlarmForNext);
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
        // The inner queue first: it refuses items that become due from now on, as upstream does.
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
        setUnsetAlarm();
    }

    @Override
    public @Nullable T get() throws InterruptedException {
        setUnsetAlarm();
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
