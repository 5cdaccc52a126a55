package io.kubeloop.cache.watch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.Status;
import io.kubeloop.api.StatusReason;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.Timers;
import io.kubeloop.cache.reflector.ActiveWatch;
import io.kubeloop.cache.reflector.WatchEnd;
import io.kubeloop.cache.reflector.WatchFactory;
import io.kubeloop.cache.runtime.Durations;
import io.kubeloop.cache.runtime.SafeTimers;
import io.kubeloop.cache.runtime.Signal;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch that opens itself again from the version it has heard last, for those who want events and no cache (upstream:
 * {@code client-go/tools/watch/retrywatcher.go}). Whoever wants to know the state of things takes a {@link SharedInformer}.
 *
 * <p>It goes on when the server ends a watch, when the connection breaks and after most errors, at most once a second, and not
 * before the server wants it to. It ends, after a last {@link WatchEvent.Failed} that says why, when an event says that the
 * version is too old (410: list, and begin anew), when the server refuses the watch with 401 or 403, or sends an object
 * without a version. A watch that is refused with any other status, 410 among them, is tried again, as upstream does.
 * Bookmarks are taken note of and not handed out.
 *
 * <p>One thread reads; {@link #close} may be called by any thread and ends a blocked {@link #next} at once.
 *
 * @param <T> the type of the objects
 */
public final class RetryWatcher<T extends KubeObject> implements WatchStream<T> {

    // Invariants
    //   1  The version to go on from is that of the last event handed out, or of a bookmark after it: no event is lost
    //      between two watches, and none comes twice.
    //   2  At most one watch is open; after close, and after the last event, none is and none will be.
    //   3  A second passes from one start to the next (RW-02).
    // No lock: the fields that change belong to the thread that reads; closed and the watches are what others touch.

    private static final Logger log = LoggerFactory.getLogger(RetryWatcher.class);

    private static final Duration MIN_RESTART_DELAY = Duration.ofSeconds(1);
    private static final Duration MIN_WATCH_TIMEOUT = Duration.ofMinutes(5);

    private final Timers timers;
    private final WatchFactory<T> watches;
    private final Signal closed = new Signal();
    private String resourceVersion;
    private @Nullable ActiveWatch<T> watch;
    private @Nullable WatchEvent<T> taken;
    private long notBeforeNanos;
    private boolean ended;

    /**
     * Makes a watcher. Nothing is opened before the first {@link #next}.
     *
     * @param resourceVersion the version after which events are wanted, such as that of a list
     * @param source where watches come from
     * @param timers the time; not closed
     * @throws IllegalArgumentException if the version is empty or "0": the events from there on would not be all (RW-01)
     */
    public RetryWatcher(String resourceVersion, ListerWatcher<T> source, Timers timers) {
        if (resourceVersion.isEmpty() || resourceVersion.equals("0")) {
            throw new IllegalArgumentException("a watch cannot go on from the version \"" + resourceVersion
                    + "\"; take that of a list or an object");
        }
        this.resourceVersion = resourceVersion;
        this.timers = SafeTimers.of(timers);
        this.watches = new WatchFactory<>(
                source, this.timers, () -> ThreadLocalRandom.current().nextDouble(), MIN_WATCH_TIMEOUT);
        this.notBeforeNanos = timers.nanoTime();
    }

    /**
     * Returns the next event, or null after the last one or {@link #close}. Blocks.
     *
     * @throws TransportException of kind {@code CLOSED} if the thread is interrupted, or the transport was closed; of kind
     *     {@code CONFIGURATION} if no watch can ever be opened. The watcher has ended then
     */
    @Override
    public @Nullable WatchEvent<T> next() {
        while (!ended && !closed.isFired()) {
            if (watch == null) {
                awaitStart();
                WatchEvent<T> refusal = closed.isFired() ? null : open();
                if (refusal != null) {
                    return refusal;
                }
            } else {
                WatchEnd end = watch.read(this::isToBeSwallowed);
                WatchEvent<T> event = end == null ? taken : endOfWatch(end);
                if (event != null) {
                    return event;
                }
            }
        }
        return null;
    }

    /** Takes an event, or swallows it and returns true: to read on. */
    private boolean isToBeSwallowed(WatchEvent<T> event) {
        String version = version(event);
        if (version.isEmpty()) {
            taken = last(Status.failure(
                    500,
                    StatusReason.INTERNAL_ERROR,
                    "the server sent an object without a resource version: the watch cannot be resumed from " + event));
            return false;
        }
        resourceVersion = version;
        taken = event;
        return event instanceof WatchEvent.Bookmark;
    }

    private static <T extends KubeObject> String version(WatchEvent<T> event) {
        if (event instanceof WatchEvent.Added<T> added) {
            return added.object().metadata().resourceVersion();
        }
        if (event instanceof WatchEvent.Modified<T> modified) {
            return modified.object().metadata().resourceVersion();
        }
        if (event instanceof WatchEvent.Deleted<T> deleted) {
            return deleted.object().metadata().resourceVersion();
        }
        return event instanceof WatchEvent.Bookmark<T> bookmark
                ? bookmark.metadata().resourceVersion()
                : "";
    }

    /** Returns the last event if this is the end; null if there is to be another watch. */
    private @Nullable WatchEvent<T> endOfWatch(WatchEnd end) {
        watches.endWatch();
        watch = null;
        if (end instanceof WatchEnd.Failed failed) {
            if (failed.status().code() == 410) {
                return last(failed.status());
            }
            notBefore(failed.failure());
        }
        if (end instanceof WatchEnd.Lost lost) {
            throwIfFinal(lost.failure());
        }
        if (end instanceof WatchEnd.Malformed malformed) {
            log.warn(
                    "a frame of the watch makes no sense; it is opened again from {}",
                    resourceVersion,
                    malformed.failure());
        } else {
            log.debug("the watch ended, and is opened again from {}", resourceVersion, end.failure());
        }
        return null;
    }

    /** Opens a watch; returns the last event if the server will never allow it. */
    private @Nullable WatchEvent<T> open() {
        notBeforeNanos = timers.nanoTime() + MIN_RESTART_DELAY.toNanos();
        try {
            watch = watches.open(ListOptionsBuilder.builder().resourceVersion(resourceVersion));
        } catch (ApiException e) {
            if (e.isUnauthorized() || e.isForbidden()) {
                return last(e.status());
            }
            notBefore(e);
            log.debug("the watch from {} was refused, and is tried again", resourceVersion, e);
        } catch (TransportException e) {
            throwIfFinal(e);
            log.debug("the watch from {} could not be opened, and is tried again", resourceVersion, e);
        }
        return null;
    }

    private void throwIfFinal(TransportException failure) {
        boolean isFinal = failure.kind() == TransportException.Kind.CLOSED
                || failure.kind() == TransportException.Kind.CONFIGURATION;
        if (isFinal && !closed.isFired()) {
            end();
            throw failure;
        }
    }

    private void notBefore(ApiException refusal) {
        if (refusal.retryAfter() != null) {
            long asked = timers.nanoTime() + Durations.nanos(refusal.retryAfter());
            notBeforeNanos = asked - notBeforeNanos > 0 ? asked : notBeforeNanos;
        }
    }

    private void awaitStart() {
        try {
            closed.await(timers, Duration.ofNanos(notBeforeNanos - timers.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end();
            throw new TransportException(
                    TransportException.Kind.CLOSED, "interrupted while waiting to watch from " + resourceVersion, e);
        }
    }

    private WatchEvent<T> last(Status status) {
        end();
        return new WatchEvent.Failed<>(status);
    }

    private void end() {
        ended = true;
        watches.close();
    }

    /** Returns the version to go on from. To be called by the thread that reads. */
    public String resourceVersion() {
        return resourceVersion;
    }

    @Override
    public void close() {
        closed.fire();
        watches.close();
    }
}
