package io.kubeloop.controller.events.write;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.core.Event;
import io.kubeloop.controller.events.EventSink;
import io.kubeloop.controller.events.correlation.EventLogger;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one write of events after the other (upstream: {@code recordToSink}), and rests where the server is busy and many wait. Confined
 * to the broadcaster's thread, but for the counter.
 */
public final class EventWriter {

    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);

    /** After so many tries an event is given up (EV-22). */
    private static final int MAX_TRIES = 12;

    /**
     * A write that takes so many times as long as the quickest one of late tells of a busy server. Events are an aside: they rest then,
     * so that they do not take turns that the controllers' own writes wait for.
     */
    private static final int BUSY = 3;

    /** By which part of it the time of the quickest write grows with each write: one lucky write is no measure for ever. */
    private static final int FORGETTING = 20;

    /**
     * Fewer events than these are not worth a rest, which whoever looks for them would notice: as many as one object may have
     * at once (EV-14).
     */
    private static final int FEW = 25;

    /** Long enough that a burst of work has few events in it, short enough that it does not fill their queue. */
    private static final Duration REST = Duration.ofMillis(250);

    private final EventBacklog backlog;
    private final EventSink sink;
    private final Pause pause;
    private final Duration retryPause;
    private final DoubleSupplier random;
    private final LongSupplier nanoTime;
    private long quickest = -1;

    private final AtomicLong failed = new AtomicLong();

    /** Waits between two tries; returns false if there is no time left for another. */
    @FunctionalInterface
    public interface Pause {
        boolean await(Duration duration) throws InterruptedException;
    }

    /**
     * Makes a writer.
     *
     * @param backlog is told what the server has stored
     * @param retryPause between two tries; before the second one a random part of it
     * @param random between 0 and 1: after an outage not all clients come back at the same moment
     * @param nanoTime tells how long a write takes
     */
    public EventWriter(
            EventBacklog backlog,
            EventSink sink,
            Pause pause,
            Duration retryPause,
            DoubleSupplier random,
            LongSupplier nanoTime) {
        this.backlog = backlog;
        this.sink = sink;
        this.pause = pause;
        this.retryPause = retryPause;
        this.random = random;
        this.nanoTime = nanoTime;
    }

    /** Returns the number of writes that the server rejected or that ran out of tries. Any thread may call. */
    public long failed() {
        return failed.get();
    }

    /** Stores a correlated event, and rests where that took long and many wait. Blocks; tries again where that can help. */
    public void write(Event event) throws InterruptedException {
        long began = nanoTime.getAsLong();
        for (int tries = 1; !tryToWrite(event); tries++) {
            if (!awaitNextTry(event, tries)) {
                return;
            }
            began = nanoTime.getAsLong();
        }
        restIfBusy(nanoTime.getAsLong() - began);
    }

    /** Returns whether there is to be another try; gives the event up if not, or if the wait for it is interrupted. */
    private boolean awaitNextTry(Event event, int tries) throws InterruptedException {
        Duration wait = tries == 1 ? scaled(retryPause, random.getAsDouble()) : retryPause;
        boolean again = false;
        try {
            again = tries < MAX_TRIES && pause.await(wait);
            return again;
        } finally {
            if (!again) {
                giveUp(event, tries);
            }
        }
    }

    private void restIfBusy(long took) throws InterruptedException {
        boolean isFirst = quickest < 0;
        boolean isBusy = !isFirst && took / BUSY > quickest;
        quickest = isFirst ? took : Math.min(took, quickest + quickest / FORGETTING);
        if (isBusy && backlog.size() >= FEW) {
            pause.await(REST);
        }
    }

    private void giveUp(Event event, int tries) {
        failed.incrementAndGet();
        LOG.warn(
                "Event {} about {} {}/{} given up after {} tries",
                event.reason(),
                event.involvedObject().kind(),
                event.involvedObject().namespace(),
                event.involvedObject().name(),
                tries);
    }

    private static Duration scaled(Duration duration, double factor) {
        return Duration.ofNanos((long) (duration.toNanos() * factor));
    }

    /** Returns whether the event is done with: written, or refused for good (EV-21). */
    private boolean tryToWrite(Event event) {
        try {
            backlog.updateState(store(event));
            return true;
        } catch (RuntimeException e) {
            if (EventWriteErrors.mayPass(e)) {
                LOG.debug("Event {} not written, will try again: {}", event.reason(), e.getMessage());
                return false;
            }
            failed.incrementAndGet();
            EventWriteErrors.logRefusal(event.reason(), e);
            return true;
        }
    }

    private Event store(Event event) {
        if (event.count() > 1) {
            try {
                return sink.patch(event, EventLogger.countPatch(event));
            } catch (ApiException e) {
                if (!e.isNotFound()) {
                    throw e;
                }
                // Events expire on the server (after an hour by default): begin anew, with the count so far.
            }
        }
        return sink.create(event.withMetadata(
                ObjectMetaBuilder.builder(event.metadata()).resourceVersion("").build()));
    }
}
