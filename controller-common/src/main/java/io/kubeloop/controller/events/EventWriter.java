package io.kubeloop.controller.events;

import io.kubeloop.api.Event;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.controller.Errors;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Correlates one event after the other and writes what is left to the sink (upstream: {@code recordToSink}). Confined to the
 * broadcaster's thread, but for the counters.
 */
final class EventWriter {

    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);

    /** After so many tries an event is given up (EV-22). */
    private static final int MAX_TRIES = 12;

    private final EventCorrelator correlator;
    private final EventSink sink;
    private final Pause pause;
    private final Duration retryPause;
    private final DoubleSupplier random;

    /** Events that were not written since there were too many about their object. */
    final AtomicLong suppressed = new AtomicLong();
    /** Events that could not be written. */
    final AtomicLong failed = new AtomicLong();

    /** Waits between two tries; returns false if there is no time left for another. */
    @FunctionalInterface
    interface Pause {
        boolean await(Duration duration) throws InterruptedException;
    }

    /**
     * Makes a writer.
     *
     * @param retryPause between two tries; before the second one a random part of it
     * @param random between 0 and 1: after an outage not all clients come back at the same moment
     */
    EventWriter(EventCorrelator correlator, EventSink sink, Pause pause, Duration retryPause, DoubleSupplier random) {
        this.correlator = correlator;
        this.sink = sink;
        this.pause = pause;
        this.retryPause = retryPause;
        this.random = random;
    }

    /** Writes the event if it is not to be dropped. Blocks; tries again where that can help. */
    void write(Event event) throws InterruptedException {
        Event counted = correlator.correlate(event);
        if (counted == null) {
            suppressed.incrementAndGet();
            return;
        }
        for (int tries = 1; !tryToWrite(counted); tries++) {
            Duration wait = tries == 1 ? scaled(retryPause, random.getAsDouble()) : retryPause;
            if (tries == MAX_TRIES || !pause.await(wait)) {
                failed.incrementAndGet();
                LOG.warn(
                        "Event {} about {} {}/{} given up after {} tries",
                        counted.reason(),
                        counted.involvedObject().kind(),
                        counted.involvedObject().namespace(),
                        counted.involvedObject().name(),
                        tries);
                return;
            }
        }
    }

    private static Duration scaled(Duration duration, double factor) {
        return Duration.ofNanos((long) (duration.toNanos() * factor));
    }

    /** Returns whether the event is done with: written, or refused for good (EV-21). */
    private boolean tryToWrite(Event event) {
        try {
            correlator.updateState(store(event));
            return true;
        } catch (TransportException e) {
            if (mayPass(e)) {
                LOG.debug("Event {} not written, will try again: {}", event.reason(), e.getMessage());
                return false;
            }
            return refused(event, e);
        } catch (DecodeException e) {
            LOG.debug("Event {}: the answer makes no sense, will try again: {}", event.reason(), e.getMessage());
            return false;
        } catch (RuntimeException e) {
            return refused(event, e);
        }
    }

    private static boolean mayPass(TransportException e) {
        return e.kind() != TransportException.Kind.CONFIGURATION && e.kind() != TransportException.Kind.CLOSED;
    }

    private boolean refused(Event event, RuntimeException e) {
        failed.incrementAndGet();
        boolean expected =
                (e instanceof ApiException refused && refused.isAlreadyExists()) || Errors.isNamespaceTerminating(e);
        if (expected) {
            LOG.debug("Event {} refused: {}", event.reason(), e.getMessage());
        } else {
            LOG.warn("Event {} refused (will not retry): {}", event.reason(), e.getMessage());
        }
        return true;
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
