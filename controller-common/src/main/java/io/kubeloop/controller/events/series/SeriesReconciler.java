package io.kubeloop.controller.events.series;

import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.events.EventsV1Event;
import io.kubeloop.controller.events.EventsV1Broadcaster;
import io.kubeloop.controller.events.EventsV1Sink;
import io.kubeloop.controller.events.write.EventWriteErrors;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.SyncFailureListener;
import io.kubeloop.workqueue.SyncHandler;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts equal events and writes their series to the server: the control loop of {@link EventsV1Broadcaster}. Any
 * thread calls {@link #record}; workers call the rest, never two for the same key.
 */
public final class SeriesReconciler implements SyncHandler<SeriesKey>, SyncFailureListener<SeriesKey> {

    /*
     * Invariants
     *   L1  A key of `observed` is queued, delayed in the queue or with a worker until it is removed, so that no
     * series is kept indefinitely. Only its worker removes it.
     *   L2  A key has one write at a time, because the queue gives it to one worker at a time. So the server's count
     * never decreases.
     *   L3  An event that is counted after its worker's check causes another check: record adds the key after
     * counting where a write is needed, and the next check is planned from the map's content at that time.
     * No lock of its own: `observed` guards each series, and only new values are made under it.
     */

    private static final Logger LOG = LoggerFactory.getLogger(SeriesReconciler.class);

    private final ConcurrentMap<SeriesKey, SeriesState> observed = new ConcurrentHashMap<>();
    private final RateLimitingQueue<SeriesKey> queue;
    private final int capacity;
    private final EventsV1Sink sink;
    private final Clock clock;
    private volatile boolean isLastChance;

    private final AtomicLong failed = new AtomicLong();

    /**
     * Creates a reconciler; the workers of the queue drive it.
     *
     * @param capacity the number of queued keys from which no new series begins
     */
    public SeriesReconciler(RateLimitingQueue<SeriesKey> queue, int capacity, EventsV1Sink sink, Clock clock) {
        this.queue = queue;
        this.capacity = capacity;
        this.sink = sink;
        this.clock = clock;
    }

    /** Counts the event; returns false if it would begin a series while the queue is full. Does not block. */
    public boolean record(EventsV1Event event) {
        SeriesKey key = SeriesKey.of(event);
        boolean isFull = queue.length() >= capacity;
        Instant now = clock.instant();
        SeriesState series = observed.compute(key, (same, known) -> {
            if (known != null) {
                return known.again(now);
            }
            return isFull ? null : SeriesState.begin(event, now);
        });
        if (series != null && series.isNews()) {
            queue.add(key);
        }
        return series != null;
    }

    /** Queues every series whose count on the server is lower, due or not; each gets one more try. */
    public void flush() {
        isLastChance = true;
        observed.forEach((key, series) -> {
            if (series.isBehind()) {
                queue.add(key);
            }
        });
    }

    /** Removes all series, and returns the number of their events that were not written. */
    public int discard() {
        int untold = observed.values().stream()
                .mapToInt(series -> series.count() - series.written())
                .sum();
        observed.clear();
        return untold;
    }

    /** Returns the number of writes that the server rejected or that ran out of tries. Any thread may call. */
    public long failedWrites() {
        return failed.get();
    }

    /** Returns the number of series. */
    public int remembered() {
        return observed.size();
    }

    @Override
    public void sync(SeriesKey key) {
        SeriesState series = observed.get(key);
        if (series == null) {
            return;
        }
        if (series.isDue(clock.instant()) || (isLastChance && series.isBehind())) {
            write(series);
            settle(key, series.count());
        }
        lookAgain(key);
    }

    /** Called after a failed write that is retried or abandoned. */
    @Override
    public void failed(SeriesKey key, Throwable error, int retries, boolean willRetry) {
        if (willRetry && !isLastChance) {
            LOG.debug("Cannot write event {}, trying again: {}", key.reason(), error.getMessage());
            return;
        }
        failed.incrementAndGet();
        LOG.warn(
                "Event {} about {} {}/{} is abandoned after {} tries: {}",
                key.reason(),
                key.regarding().kind(),
                key.regarding().namespace(),
                key.regarding().name(),
                retries + 1,
                error.getMessage());
        SeriesState series = observed.get(key);
        if (series != null) {
            settle(key, series.count());
            lookAgain(key);
        }
    }

    /** Marks the count as written: it was written or rejected. */
    private void settle(SeriesKey key, int count) {
        Instant now = clock.instant();
        observed.computeIfPresent(key, (same, series) -> series.written(count, now));
    }

    private void lookAgain(SeriesKey key) {
        Instant now = clock.instant();
        SeriesState left = observed.computeIfPresent(key, (same, series) -> series.isOver(now) ? null : series);
        if (left != null) {
            queue.addAfter(key, left.untilNextLook(now));
        }
    }

    /** Writes the series. Throws only if another try can help; a rejection is logged. */
    private void write(SeriesState series) {
        try {
            if (series.written() == 0) {
                create(series);
            } else {
                patch(series);
            }
        } catch (RuntimeException e) {
            if (EventWriteErrors.mayPass(e)) {
                throw e;
            }
            failed.incrementAndGet();
            EventWriteErrors.logRefusal(series.first().reason(), e);
        }
    }

    private void create(SeriesState series) {
        EventsV1Event event = series.event();
        try {
            sink.create(event);
        } catch (ApiException e) {
            if (!e.isAlreadyExists()) {
                throw e;
            }
            // Only this process uses the name: a creation whose response was lost has succeeded, perhaps with a lower
            // count.
            if (series.count() > 1) {
                sink.patch(event, series.patch());
            }
        }
    }

    private void patch(SeriesState series) {
        EventsV1Event event = series.event();
        try {
            sink.patch(event, series.patch());
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            // Events expire on the server: the event is created again, with its count so far.
            sink.create(event);
        }
    }
}
