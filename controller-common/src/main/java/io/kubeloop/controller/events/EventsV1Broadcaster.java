package io.kubeloop.controller.events;

import io.kubeloop.api.events.EventsV1Event;
import io.kubeloop.controller.events.series.DefaultEventsV1Recorder;
import io.kubeloop.controller.events.series.SeriesKey;
import io.kubeloop.controller.events.series.SeriesReconciler;
import io.kubeloop.controller.events.write.DroppedEvents;
import io.kubeloop.workqueue.AlarmClock;
import io.kubeloop.workqueue.BackoffSteps;
import io.kubeloop.workqueue.RateLimiter;
import io.kubeloop.workqueue.RateLimiters;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.kubeloop.workqueue.WorkQueues;
import io.kubeloop.workqueue.Worker;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * Takes events from any number of recorders and writes them as {@code events.k8s.io/v1}, equal ones as a series (upstream:
 * {@code events.EventBroadcaster} of {@code client-go/tools/events}).
 *
 * <p>The first event of its kind is created, the second makes a series of it; the later ones are counted here. The server hears
 * of the count every 30 minutes, and when 6 minutes have passed without another. Recording never waits for the server: once
 * {@value #QUEUE_CAPACITY} series wait to be written, new ones are dropped and counted. There is no spam filter as
 * {@link EventBroadcaster} has one. What is not promised: that an event arrives, or that events arrive in order.
 *
 * <p>Thread-safe. It has {@value #WORKERS} threads that write, and one more for the time.
 */
public final class EventsV1Broadcaster implements AutoCloseable {

    // Invariants
    //   S1  A recorder's thread counts and adds a key to a queue: no I/O, no waiting.
    //   S2  After close the threads have ended, or were interrupted and end with the request they are in (I12).
    // No lock and no state of its own: SeriesReconciler has the series, the queue says who does what when.

    /** How many series wait at most to be written. */
    public static final int QUEUE_CAPACITY = 1000;

    /** How many events are written at a time; each has a write of its own to wait for. */
    private static final int WORKERS = 8;

    /** After so many tries an event is given up. */
    private static final int MAX_TRIES = 12;

    /** The pause between two tries: after an outage not all series come back at the same moment. */
    private static final BackoffSteps RETRY_PAUSE = new BackoffSteps(Duration.ofSeconds(10), 0, 0.25, 0, Duration.ZERO);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final DroppedEvents dropped = new DroppedEvents();
    private final Clock clock;
    private final RateLimitingQueue<SeriesKey> queue;
    private final SeriesReconciler loop;
    private final Worker<SeriesKey> worker;

    /**
     * Makes a broadcaster and starts its threads.
     *
     * @param sink where events go
     * @param clock the time of events
     * @param threads makes the threads, which are named {@code kubeloop-worker-events-v1-1} and so on
     */
    public EventsV1Broadcaster(EventsV1Sink sink, Clock clock, ThreadFactory threads) {
        this(
                sink,
                clock,
                AlarmClock.system(threads),
                threads,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    EventsV1Broadcaster(
            EventsV1Sink sink, Clock clock, AlarmClock alarms, ThreadFactory threads, DoubleSupplier random) {
        this.clock = clock;
        queue = WorkQueues.rateLimiting(
                WorkQueueConfig.named("events-v1").withClock(alarms), new JitteredPause(random));
        loop = new SeriesReconciler(queue, QUEUE_CAPACITY, sink, clock);
        worker = Worker.builder(queue, loop)
                .threads(WORKERS)
                .threadFactory(threads)
                .maxRetries(MAX_TRIES - 1)
                .onFailure(loop)
                .start();
    }

    /** Counts the tries of each series. */
    private static final class JitteredPause implements RateLimiter<SeriesKey> {

        private final RateLimiter<SeriesKey> tries = RateLimiters.exponential(Duration.ZERO, Duration.ZERO);
        private final DoubleSupplier random;

        JitteredPause(DoubleSupplier random) {
            this.random = random;
        }

        @Override
        public Duration when(SeriesKey key) {
            tries.when(key);
            return RETRY_PAUSE.delay(random);
        }

        @Override
        public void forget(SeriesKey key) {
            tries.forget(key);
        }

        @Override
        public int numRequeues(SeriesKey key) {
            return tries.numRequeues(key);
        }
    }

    /**
     * Returns a recorder that reports in the name of a controller.
     *
     * @param controller a qualified name, such as {@code example.com/scaler}; the server refuses others
     * @param instance tells apart those that run it, such as {@code scaler-} and the host's name; of 1 to 128 characters
     */
    public EventsV1Recorder recorder(String controller, String instance) {
        return new DefaultEventsV1Recorder(controller, instance, clock, this::record);
    }

    private void record(EventsV1Event event) {
        if (queue.isShuttingDown() || !loop.record(event)) {
            dropped.add(1);
        }
    }

    /** Returns how many series wait to be written now; those that are only counted up do not. */
    public int pending() {
        return queue.length();
    }

    /** Returns how many series wait for the time of their next look, or their next try. */
    int planned() {
        return queue.delayed();
    }

    /** Returns how many events were dropped because the queue was full or closed. */
    public long dropped() {
        return dropped.count();
    }

    /** Returns how many writes of events the server refused, or could not be reached for. */
    public long failed() {
        return loop.failedWrites();
    }

    /**
     * Accepts no more events, tells the server what it does not know yet, with one try for each series, and ends the threads.
     * Blocks, for 5 s at most; what is left then is dropped. Safe to call twice.
     */
    @Override
    public void close() {
        loop.tellAll();
        try {
            worker.stop(CLOSE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        int left = loop.discard();
        if (left > 0) {
            dropped.add(left);
        }
    }
}
