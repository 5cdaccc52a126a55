/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.write;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.core.Event;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The bounded queue between recorders and the one thread that writes events. Thread-safe. */
public final class EventQueue {

    /*
     * Invariant 1: the queue holds at most `capacity` events.
     * Invariant 2: a closed queue accepts no event; queued events are still returned unless discarded.
     * Lock: `lock` guards events and closed; nothing else is accessed under it. Any thread calls offer, which never
     * waits for space. Only the writer's thread calls take, poll and pause. The thread that closes the broadcaster
     * calls close and discard. Two conditions, so an arriving event does not end a pause.
     */

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition ended = lock.newCondition();

    @GuardedBy("lock")
    private final ArrayDeque<Event> events = new ArrayDeque<>();

    private final int capacity;

    @GuardedBy("lock")
    private boolean closed;

    public EventQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Adds the event, or returns false if the queue is full or closed. */
    public boolean offer(Event event) {
        lock.lock();
        try {
            if (closed || events.size() >= capacity) {
                return false;
            }
            events.add(event);
            arrived.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the next event, or null when the queue is closed and empty. Blocks while the queue is open and empty. */
    @Nullable
    public Event take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (events.isEmpty() && !closed) {
                arrived.await();
            }
            return events.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the next event, or null if the queue is empty. */
    @Nullable
    public Event poll() {
        lock.lock();
        try {
            return events.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Blocks for this duration, or until the queue is closed; returns whether it is still open. */
    public boolean pause(Duration duration) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = duration.toNanos();
            while (!closed && left > 0) {
                left = ended.awaitNanos(left);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Accepts no more events and ends a pause. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            arrived.signalAll();
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Removes all queued events and returns their number. */
    public int discard() {
        lock.lock();
        try {
            int waiting = events.size();
            events.clear();
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of queued events. */
    public int size() {
        lock.lock();
        try {
            return events.size();
        } finally {
            lock.unlock();
        }
    }
}
