/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventSource;
import io.kubeloop.controller.events.correlation.EventCorrelator;
import io.kubeloop.controller.events.write.DefaultEventRecorder;
import io.kubeloop.controller.events.write.EventBacklog;
import io.kubeloop.controller.events.write.EventQueue;
import io.kubeloop.controller.events.write.EventWriter;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.WorkCounter;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives events from recorders, condenses them, and writes them to one sink (upstream: {@code EventBroadcaster}).
 *
 * <p>Recording never waits for the server. Events pass through a queue of {@value #QUEUE_CAPACITY}; when it is full,
 * an event is dropped and counted. The writer pauses while the server is busy, and equal events that arrive meanwhile
 * are counted. Not promised: that an event arrives, and the order of events about different objects.
 *
 * <p>Thread-safe. The {@code close} methods block, as each describes; no other method does.
 */
public final class EventBroadcaster implements AutoCloseable {

    /*
     * Invariants
     *   B1  A recorder's thread only adds the event to the queue: no I/O, no wait for space.
     *   B2  Each reported event ends in exactly one of: written, condensed into a written one, suppressed, failed,
     *       dropped.
     *   B3  After close the thread has ended, or was interrupted and ends with its current request.
     * No lock of its own: EventQueue has one. Backlog and writer are confined to the thread, except for their counters.
     */

    /** The capacity of each of two queues: events that wait to be correlated, and events that wait to be written. */
    public static final int QUEUE_CAPACITY = 1000;

    private static final String THREAD_NAME = "kubeloop-event-broadcaster";
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(10);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final EventQueue queue = new EventQueue(QUEUE_CAPACITY);
    private final DroppedEvents dropped = new DroppedEvents();
    private final Clock clock;
    private final @Nullable WorkCounter work;
    private final EventBacklog backlog;
    private final EventWriter writer;
    private final Thread thread;

    /** The events that were taken from the queue and are not written yet. Confined to the thread. */
    private int taken;

    private final AtomicBoolean named = new AtomicBoolean();

    /**
     * Creates a broadcaster and starts its thread.
     *
     * @param sink stores the events
     * @param options the fields that events have, and how much they are condensed
     * @param clock the time of events
     * @param threads makes the one thread; it is named {@code kubeloop-event-broadcaster}, with the component of the
     * first recorder appended
     */
    public EventBroadcaster(EventSink sink, EventCorrelatorOptions options, Clock clock, ThreadFactory threads) {
        this(sink, options, clock, Scheduler.system(), threads);
    }

    /**
     * Creates a broadcaster and starts its thread; see the other constructor.
     *
     * @param scheduler counts the events that are not written yet, for tests that wait for them
     */
    public EventBroadcaster(
            EventSink sink, EventCorrelatorOptions options, Clock clock, Scheduler scheduler, ThreadFactory threads) {
        this(
                sink,
                options,
                clock,
                scheduler,
                threads,
                RETRY_PAUSE,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    EventBroadcaster(
            EventSink sink,
            EventCorrelatorOptions options,
            Clock clock,
            ThreadFactory threads,
            Duration retryPause,
            DoubleSupplier random) {
        this(sink, options, clock, Scheduler.system(), threads, retryPause, random);
    }

    private EventBroadcaster(
            EventSink sink,
            EventCorrelatorOptions options,
            Clock clock,
            Scheduler scheduler,
            ThreadFactory threads,
            Duration retryPause,
            DoubleSupplier random) {
        this.clock = clock;
        this.work = scheduler.counter("event broadcaster");
        backlog = new EventBacklog(new EventCorrelator(options, clock));
        writer = new EventWriter(backlog, sink, queue::pause, retryPause, random, System::nanoTime);
        thread = threads.newThread(this::run);
        thread.setName(THREAD_NAME);
        thread.start();
    }

    /** Returns a recorder for a component, such as {@code replicaset-controller}. */
    public EventRecorder recorder(String component) {
        return recorder(new EventSource(component, "", UnknownFields.NONE));
    }

    /** Returns a recorder for this source. */
    public EventRecorder recorder(EventSource source) {
        if (named.compareAndSet(false, true)) {
            thread.setName(THREAD_NAME + "-" + source.component());
        }
        return new DefaultEventRecorder(source, clock, this::enqueue);
    }

    private void enqueue(Event event) {
        if (work != null) {
            work.begin();
        }
        if (!queue.offer(event)) {
            dropped.add(1);
            endWork(1);
        }
    }

    private void run() {
        try {
            for (Event event = queue.take(); event != null; event = queue.take()) {
                take(event);
                writeBacklog();
                endWork(taken);
                taken = 0;
            }
        } catch (InterruptedException e) {
            // Only close interrupts, when its time has passed; the thread ends here.
            Thread.currentThread().interrupt();
        } finally {
            queue.close();
            int discarded = queue.discard();
            endWork(taken + discarded);
            int left = discarded + backlog.size();
            if (left > 0) {
                dropped.add(left);
            }
        }
    }

    private void take(Event event) {
        taken++;
        backlog.add(event);
    }

    private void endWork(int events) {
        for (int i = 0; work != null && i < events; i++) {
            work.end();
        }
    }

    /** Writes until no write is pending, and correlates the events that arrive meanwhile. */
    private void writeBacklog() throws InterruptedException {
        for (Event next = backlog.poll(); next != null; next = backlog.poll()) {
            writer.write(next);
            while (backlog.size() < QUEUE_CAPACITY) {
                Event event = queue.poll();
                if (event == null) {
                    break;
                }
                take(event);
            }
        }
    }

    /** Returns the number of pending events. Several equal events that are counted as one are one event. */
    public int pending() {
        return queue.size() + backlog.size();
    }

    /** Returns the number of events that were dropped because the queue was full or closed. */
    public long dropped() {
        return dropped.count();
    }

    /** Returns the number of events that were suppressed because there were too many about their object. */
    public long suppressed() {
        return backlog.suppressed();
    }

    /** Returns the number of writes that the server rejected or that ran out of tries. */
    public long failed() {
        return writer.failed();
    }

    /**
     * Accepts no more events, tries each pending write once, and ends the thread. Blocks for at most 5 s; events that
     * are pending then are dropped. An interrupt ends the wait and stays set. Safe to call twice.
     */
    @Override
    public void close() {
        close(CLOSE_TIMEOUT);
    }

    /**
     * Closes as {@link #close()} does, with another limit: for a process that must end soon and whose server may be
     * unreachable.
     *
     * @param atMost the longest wait, at least 1 ms
     */
    public void close(Duration atMost) {
        closeUntil(System.nanoTime() + TimeUnit.NANOSECONDS.convert(atMost));
    }

    /**
     * Closes all broadcasters as {@link #close()} does. Blocks for at most 5 s in total, because they write in
     * parallel.
     */
    public static void closeAll(Collection<EventBroadcaster> broadcasters) {
        closeAll(broadcasters, CLOSE_TIMEOUT);
    }

    static void closeAll(Collection<EventBroadcaster> broadcasters, Duration atMost) {
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(atMost);
        broadcasters.forEach(broadcaster -> broadcaster.queue.close());
        broadcasters.forEach(broadcaster -> broadcaster.closeUntil(deadline));
    }

    private void closeUntil(long deadline) {
        queue.close();
        long nanosLeft = deadline - System.nanoTime();
        try {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanosLeft))); // 0 would wait without limit
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            int discarded = queue.discard();
            dropped.add(discarded);
            endWork(discarded);
            thread.interrupt();
        }
    }

    /** Counts the events that a broadcaster dropped. Thread-safe. */
    private static final class DroppedEvents {

        private static final Logger LOG = LoggerFactory.getLogger(DroppedEvents.class);

        private final AtomicLong count = new AtomicLong();

        /** Adds to the count, and logs it at 1, 2, 4, 8 and so on, so a flood of events does not flood the log. */
        void add(int events) {
            long before = count.getAndAdd(events);
            if (Long.highestOneBit(before) != Long.highestOneBit(before + events)) {
                LOG.warn("{} events dropped so far, because the queue was full or closed", before + events);
            }
        }

        long count() {
            return count.get();
        }
    }
}
