package io.kubeloop.controller.events;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.EventSource;
import io.kubeloop.controller.events.correlation.EventCorrelator;
import io.kubeloop.controller.events.write.DefaultEventRecorder;
import io.kubeloop.controller.events.write.DroppedEvents;
import io.kubeloop.controller.events.write.EventBacklog;
import io.kubeloop.controller.events.write.EventQueue;
import io.kubeloop.controller.events.write.EventWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;

/**
 * Takes events from any number of recorders and writes them to one sink, condensed (upstream: {@code EventBroadcaster}).
 *
 * <p>Recording never waits for the server: events pass through a queue of {@value #QUEUE_CAPACITY}, and one that finds it
 * full is dropped and counted (EV-01). The writer holds back where the server is busy, and counts up what comes meanwhile.
 * What is not promised: that an event arrives, or that events about different objects arrive in order.
 *
 * <p>Thread-safe.
 */
public final class EventBroadcaster implements AutoCloseable {

    // Invariants
    //   B1  A recorder's thread does nothing but put the event into the queue: no I/O, no waiting for room.
    //   B2  Each reported event ends in exactly one of: written, condensed into a written one, suppressed, failed,
    //       dropped.
    //   B3  After close the thread has ended, or was interrupted and will end with the request it is in (I12).
    // No lock of its own: EventQueue has one. Backlog and writer are confined to the thread, but for their counters.

    /** How many events wait at most to be correlated; as many may then wait to be written. */
    public static final int QUEUE_CAPACITY = 1000;

    private static final String THREAD_NAME = "kubeloop-event-broadcaster";
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(10);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final EventQueue queue = new EventQueue(QUEUE_CAPACITY);
    private final DroppedEvents dropped = new DroppedEvents();
    private final Clock clock;
    private final EventBacklog backlog;
    private final boolean reporting;
    private final EventWriter writer;
    private final Thread thread;
    private final AtomicBoolean named = new AtomicBoolean();

    /**
     * Makes a broadcaster and starts its thread.
     *
     * @param sink where events go
     * @param options what they say, and how hard they are condensed
     * @param clock the time of events
     * @param threads makes the one thread, which is named {@code kubeloop-event-broadcaster}, and from the first recorder on
     *     {@code kubeloop-event-broadcaster-<component>}
     */
    public EventBroadcaster(EventSink sink, EventCorrelatorOptions options, Clock clock, ThreadFactory threads) {
        this(
                sink,
                options,
                clock,
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
        this.clock = clock;
        this.reporting = options.reporting();
        backlog = new EventBacklog(new EventCorrelator(options, clock));
        writer = new EventWriter(backlog, sink, queue::pause, retryPause, random, System::nanoTime);
        thread = threads.newThread(this::run);
        thread.setName(THREAD_NAME);
        thread.start();
    }

    /** Returns a recorder that reports in the name of a component, such as {@code replicaset-controller}. */
    public EventRecorder recorder(String component) {
        return recorder(new EventSource(component, "", UnknownFields.NONE));
    }

    /** Returns a recorder that reports in the name of this source. */
    public EventRecorder recorder(EventSource source) {
        if (named.compareAndSet(false, true)) {
            thread.setName(THREAD_NAME + "-" + source.component());
        }
        return new DefaultEventRecorder(source, reporting, clock, this::enqueue);
    }

    private void enqueue(Event event) {
        if (!queue.offer(event)) {
            dropped.add(1);
        }
    }

    private void run() {
        try {
            for (Event event = queue.take(); event != null; event = queue.take()) {
                backlog.add(event);
                writeBacklog();
            }
        } catch (InterruptedException e) {
            // Only close interrupts, when its time is over; the thread ends here.
            Thread.currentThread().interrupt();
        } finally {
            queue.close();
            int left = queue.discard() + backlog.size();
            if (left > 0) {
                dropped.add(left);
            }
        }
    }

    /** Writes until nothing waits any more, and takes in what comes meanwhile. */
    private void writeBacklog() throws InterruptedException {
        for (Event next = backlog.poll(); next != null; next = backlog.poll()) {
            writer.write(next);
            while (backlog.size() < QUEUE_CAPACITY) {
                Event event = queue.poll();
                if (event == null) {
                    break;
                }
                backlog.add(event);
            }
        }
    }

    /** Returns how many events wait, those that are counted up into one as one. */
    public int pending() {
        return queue.size() + backlog.size();
    }

    /** Returns how many events were dropped because the queue was full or closed. */
    public long dropped() {
        return dropped.count();
    }

    /** Returns how many events were not written because there were too many about their object. */
    public long suppressed() {
        return backlog.suppressed();
    }

    /** Returns how many writes of events the server refused, or could not be reached for. */
    public long failed() {
        return writer.failed();
    }

    /**
     * Accepts no more events, gives those that wait one try each, and ends the thread. Blocks, for 5 s at most; what is left
     * then is dropped. Safe to call twice.
     */
    @Override
    public void close() {
        close(CLOSE_TIMEOUT);
    }

    /**
     * Does as {@link #close()}, and blocks for this long at most: for who has reason to think that the server is away, and no time.
     *
     * @param atMost a millisecond at least
     */
    public void close(Duration atMost) {
        closeUntil(System.nanoTime() + TimeUnit.NANOSECONDS.convert(atMost));
    }

    /** Does as {@link #close()} with each of them, and blocks for 5 s at most in all: they write side by side. */
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
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanosLeft))); // 0 would be for ever
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            dropped.add(queue.discard());
            thread.interrupt();
        }
    }
}
