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
 * Receives events from recorders and writes them as {@code events.k8s.io/v1}, equal ones as a series (upstream:
 * {@code events.EventBroadcaster} of {@code client-go/tools/events}).
 *
 * <p>The first of several equal events is created on the server, and the second turns it into a series. Later ones
 * are counted in this process. Their count is written every 30 minutes, and when 6 minutes have passed without
 * another event. Recording never waits for the server: while {@value #QUEUE_CAPACITY} series wait to be written, new
 * ones are dropped and counted. There is no spam filter, unlike {@link EventBroadcaster}. Not promised: that an event
 * arrives, and the order of events.
 *
 * <p>Thread-safe. It has {@value #WORKERS} threads that write, and one for timers. Only {@link #close} blocks.
 */
public final class EventsV1Broadcaster implements AutoCloseable {

    /*
     * Invariants
     *   S1  A recorder's thread only counts and adds a key to a queue: no I/O, no wait.
     *   S2  After close the threads have ended, or were interrupted and end with their current request.
     * No lock and no state of its own: SeriesReconciler has the series, and the queue schedules their writes.
     */

    /** The largest number of series that wait to be written. */
    public static final int QUEUE_CAPACITY = 1000;

    /** The number of events that are written at a time. */
    private static final int WORKERS = 8;

    /** The number of tries after which a write is abandoned. */
    private static final int MAX_TRIES = 12;

    /** The pause between two tries, with jitter, so that series do not all retry at once after an outage. */
    private static final BackoffSteps RETRY_PAUSE = new BackoffSteps(Duration.ofSeconds(10), 0, 0.25, 0, Duration.ZERO);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final DroppedEvents dropped = new DroppedEvents();
    private final Clock clock;
    private final RateLimitingQueue<SeriesKey> queue;
    private final SeriesReconciler loop;
    private final Worker<SeriesKey> worker;

    /**
     * Creates a broadcaster and starts its threads.
     *
     * @param sink stores the events
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

    /** A constant pause with jitter, which counts the tries of each series. */
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
     * Returns a recorder for a controller.
     *
     * @param controller a qualified name, such as {@code example.com/scaler}; the server rejects others
     * @param instance identifies this process, such as {@code scaler-} and the host's name; 1 to 128 characters
     */
    public EventsV1Recorder recorder(String controller, String instance) {
        return new DefaultEventsV1Recorder(controller, instance, clock, this::record);
    }

    private void record(EventsV1Event event) {
        if (queue.isShuttingDown() || !loop.record(event)) {
            dropped.add(1);
        }
    }

    /** Returns the number of series that wait to be written now; a series that is only counted does not wait. */
    public int pending() {
        return queue.length();
    }

    /** Returns the number of series that wait for their next check or their next try. */
    int planned() {
        return queue.delayed();
    }

    /** Returns the number of events that were dropped because the queue was full or closed. */
    public long dropped() {
        return dropped.count();
    }

    /** Returns the number of writes that the server rejected or that ran out of tries. */
    public long failed() {
        return loop.failedWrites();
    }

    /**
     * Accepts no more events, writes the count of each series that the server does not have, with one try, and ends
     * the threads. Blocks for at most 5 s; events that are pending then are dropped. An interrupt ends the wait and
     * stays set. Safe to call twice.
     */
    @Override
    public void close() {
        loop.flush();
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
