package io.kubeloop.controller.events.write;

import io.kubeloop.api.core.Event;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Holds events between those who report them and the one thread that writes them. Thread-safe. */
public final class EventQueue {

    // Invariant 1: at most `capacity` events wait.
    // Invariant 2: once closed, no event is accepted; those that wait are still handed out unless discarded.
    // Lock: `lock` guards events and closed; nothing but these is touched under it. offer is called by anyone and never
    // waits for room; take, poll and pause by the writer's thread alone; close and discard by whoever closes the
    // broadcaster. Two conditions, so that an event that arrives does not wake a thread that pauses.

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition ended = lock.newCondition();
    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private final int capacity;
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

    /** Returns the next event, or null when the queue is closed and empty. Blocks. */
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

    /** Returns the next event, or null when none waits. */
    @Nullable
    public Event poll() {
        lock.lock();
        try {
            return events.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Blocks for this long, or until the queue is closed; returns whether it is still open. */
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

    /** Accepts no more events, and ends pauses. */
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

    /** Throws away what waits and returns how much it was. */
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

    /** Returns how many events wait. */
    public int size() {
        lock.lock();
        try {
            return events.size();
        } finally {
            lock.unlock();
        }
    }
}
