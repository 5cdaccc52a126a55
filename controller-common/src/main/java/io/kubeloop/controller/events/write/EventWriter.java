/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.events.write;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
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
 * Writes events one after the other (upstream: {@code recordToSink}), and pauses while the server is busy and many
 * writes are pending. Confined to the broadcaster's thread, except {@link #failed}.
 */
public final class EventWriter {

    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);

    /** The number of tries after which a write is abandoned. */
    private static final int MAX_TRIES = 12;

    /**
     * The factor by which a write must exceed the quickest recent one for the server to count as busy. Events pause
     * then, because the controllers' own writes are more important.
     */
    private static final int BUSY = 3;

    /**
     * The divisor by which the quickest time grows with each write, so one lucky write does not count
     * indefinitely.
     */
    private static final int FORGETTING = 20;

    /**
     * The number of pending writes from which a pause is worthwhile: as many as one object may have events at once.
     * With fewer, users would notice the delay.
     */
    private static final int FEW = 25;

    /** Long enough to keep events out of a burst of work, short enough not to fill their queue. */
    private static final Duration REST = Duration.ofMillis(250);

    private final EventBacklog backlog;
    private final EventSink sink;
    private final Pause pause;
    private final Duration retryPause;
    private final DoubleSupplier random;
    private final LongSupplier nanoTime;
    private long quickest = -1;

    private final AtomicLong failed = new AtomicLong();

    /** Waits between two tries; returns false if no further try may be made. */
    @FunctionalInterface
    public interface Pause {
        boolean await(Duration duration) throws InterruptedException;
    }

    /**
     * Creates a writer.
     *
     * @param backlog receives the events as the server stored them
     * @param retryPause the pause between two tries; before the second try a random part of it
     * @param random supplies numbers from 0 to 1, so clients do not all retry at once after an outage
     * @param nanoTime measures the duration of writes
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

    /**
     * Stores a correlated event, and pauses afterwards if that took long and many writes are pending. Blocks for the
     * request, and for the pauses between tries.
     */
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

    /**
     * Waits for the next try and returns true; abandons the event and returns false if there is none. Abandons it too
     * if the wait is interrupted.
     */
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
                "Event {} about {} {}/{} is abandoned after {} tries",
                event.reason(),
                event.involvedObject().kind(),
                event.involvedObject().namespace(),
                event.involvedObject().name(),
                tries);
    }

    private static Duration scaled(Duration duration, double factor) {
        return Duration.ofNanos((long) (duration.toNanos() * factor));
    }

    /** Returns true if the event was written or rejected for good, false if another try can help. */
    private boolean tryToWrite(Event event) {
        try {
            backlog.updateState(store(event));
            return true;
        } catch (RuntimeException e) {
            if (EventWriteErrors.mayPass(e)) {
                LOG.debug("Cannot write event {}, trying again: {}", event.reason(), e.getMessage());
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
                // Events expire on the server, after an hour by default: the event is created again, with its count so
                // far.
            }
        }
        return sink.create(event.withMetadata(
                ObjectMetaBuilder.builder(event.metadata()).resourceVersion("").build()));
    }

    /** Classifies failed writes of events. Stateless. */
    private static final class EventWriteErrors {

        private static final Logger LOG = LoggerFactory.getLogger(EventWriteErrors.class);

        private EventWriteErrors() {}

        /** Returns whether another try can help: no response arrived, or a malformed one. A rejection is final. */
        static boolean mayPass(Throwable error) {
            if (error instanceof TransportException failed) {
                return failed.kind() != TransportException.Kind.CONFIGURATION
                        && failed.kind() != TransportException.Kind.CLOSED;
            }
            return error instanceof DecodeException;
        }

        /** Logs a rejected event: as a warning, or at debug level if the rejection is expected. */
        static void logRefusal(String reason, RuntimeException error) {
            boolean expected = (error instanceof ApiException refused && refused.isAlreadyExists())
                    || (error instanceof ApiException terminating && terminating.hasCause("NamespaceTerminating"));
            if (expected) {
                LOG.debug("The server rejected event {}: {}", reason, error.getMessage());
            } else {
                LOG.warn("The server rejected event {}, it is not retried: {}", reason, error.getMessage());
            }
        }
    }
}
