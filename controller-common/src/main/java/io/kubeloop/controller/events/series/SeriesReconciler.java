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
 * Counts equal events, and brings the server up to date about one series of them at a time: the control loop of
 * {@link EventsV1Broadcaster}. {@link #record} is called by anyone; the rest by workers, never by two for the same key.
 */
public final class SeriesReconciler implements SyncHandler<SeriesKey>, SyncFailureListener<SeriesKey> {

    // Invariants
    //   L1  A key of `observed` is in the queue, waits in it for its time, or is with a worker, until it is removed: so
    //       nothing is kept for ever. Only its worker removes it.
    //   L2  There is one write at a time for a key, since the queue hands it to one worker at a time; so the count that
    //       the server has never goes back.
    //   L3  An event that is counted after its worker has looked makes it look again: whoever counts adds the key
    //       afterwards where that is news, and the next look is planned from what is in the map then.
    // No lock of its own: `observed` guards each series, and nothing but new values are made while it does.

    private static final Logger LOG = LoggerFactory.getLogger(SeriesReconciler.class);

    private final ConcurrentMap<SeriesKey, SeriesState> observed = new ConcurrentHashMap<>();
    private final RateLimitingQueue<SeriesKey> queue;
    private final int capacity;
    private final EventsV1Sink sink;
    private final Clock clock;
    private volatile boolean isLastChance;

    private final AtomicLong failed = new AtomicLong();

    /**
     * Makes a loop that is driven by whoever takes keys from the queue.
     *
     * @param capacity while so many keys wait in the queue, no new series begins
     */
    public SeriesReconciler(RateLimitingQueue<SeriesKey> queue, int capacity, EventsV1Sink sink, Clock clock) {
        this.queue = queue;
        this.capacity = capacity;
        this.sink = sink;
        this.clock = clock;
    }

    /** Counts the event; returns false if it begins a series for which there is no room. Does not block. */
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

    /** Has every series written of which the server does not know all, due or not. */
    public void tellAll() {
        isLastChance = true;
        observed.forEach((key, series) -> {
            if (series.isUntold()) {
                queue.add(key);
            }
        });
    }

    /** Forgets all series, and returns how many events of them the server has not heard of. */
    public int discard() {
        int untold = observed.values().stream()
                .mapToInt(series -> series.count() - series.told())
                .sum();
        observed.clear();
        return untold;
    }

    /** Returns the number of writes that the server rejected or that ran out of tries. Any thread may call. */
    public long failedWrites() {
        return failed.get();
    }

    /** Returns how many series are remembered. */
    public int remembered() {
        return observed.size();
    }

    @Override
    public void sync(SeriesKey key) {
        SeriesState series = observed.get(key);
        if (series == null) {
            return;
        }
        if (series.isDue(clock.instant()) || (isLastChance && series.isUntold())) {
            tell(series);
            settle(key, series.count());
        }
        lookAgain(key);
    }

    /** Called when a write has failed, and either is to be tried again or was tried often enough. */
    @Override
    public void failed(SeriesKey key, Throwable error, int retries, boolean willRetry) {
        if (willRetry && !isLastChance) {
            LOG.debug("Event {} not written, will try again: {}", key.reason(), error.getMessage());
            return;
        }
        failed.incrementAndGet();
        LOG.warn(
                "Event {} about {} {}/{} given up after {} tries: {}",
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

    /** Takes the count for told: it was, or the server does not want it. */
    private void settle(SeriesKey key, int count) {
        Instant now = clock.instant();
        observed.computeIfPresent(key, (same, series) -> series.told(count, now));
    }

    private void lookAgain(SeriesKey key) {
        Instant now = clock.instant();
        SeriesState left = observed.computeIfPresent(key, (same, series) -> series.isOver(now) ? null : series);
        if (left != null) {
            queue.addAfter(key, left.untilNextLook(now));
        }
    }

    /** Writes. Returns also if the server refuses: only what may pass is thrown (EN-04). */
    private void tell(SeriesState series) {
        try {
            if (series.told() == 0) {
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
            // The name is ours alone: a creation whose answer was lost has made it, and may not have known the count.
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
            // Events expire on the server: begin anew, with the count so far.
            sink.create(event);
        }
    }
}
