/* SPDX-License-Identifier: Apache-2.0 */
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
import io.kubeloop.cache.reflector.ActiveWatch;
import io.kubeloop.cache.reflector.WatchEnd;
import io.kubeloop.cache.reflector.WatchFactory;
import io.kubeloop.cache.runtime.SafeScheduler;
import io.kubeloop.runtime.Durations;
import io.kubeloop.runtime.OneShotLatch;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch that reconnects from the last received version, for programs that need events and no cache (upstream:
 * {@code client-go/tools/watch/retrywatcher.go}). A program that needs the current state should use a
 * {@link SharedInformer}.
 *
 * <p>The watcher reopens the watch when the server ends it, when the connection breaks, and after most errors. It
 * starts at most one watch per second, and respects the delay that the server requests.
 *
 * <p>The watcher ends after a last {@link WatchEvent.Failed} with the reason: when an event reports that the version is
 * too old (410), when the server refuses the watch with 401 or 403, or when an object has no version. A watch that is
 * refused with another status, 410 included, is retried, as upstream does. Bookmarks are not returned.
 *
 * <p>One thread reads. Any thread may call {@link #close}, which ends a blocked {@link #next} at once.
 *
 * @param <T> the type of the objects
 */
public final class RetryWatcher<T extends KubeObject> implements WatchStream<T> {

    /*
     * Invariants:
     *   1  The next watch starts from the version of the last returned event, or of a later bookmark. So no event is
     *      lost or repeated between two watches.
     *   2  At most one watch is open. After close() and after the last event none is open, and none is opened.
     *   3  At least one second passes between two starts.
     * There is no lock. The fields that change belong to the reading thread; other threads only touch closed and
     * watches.
     */

    private static final Logger LOG = LoggerFactory.getLogger(RetryWatcher.class);

    private static final Duration MIN_RESTART_DELAY = Duration.ofSeconds(1);
    private static final Duration MIN_WATCH_TIMEOUT = Duration.ofMinutes(5);

    private final Scheduler scheduler;
    private final WatchFactory<T> watches;
    private final OneShotLatch closed = new OneShotLatch();
    private String resourceVersion;
    private @Nullable ActiveWatch<T> watch;
    private @Nullable WatchEvent<T> taken;
    private long notBeforeNanos;
    private boolean ended;

    /**
     * Makes a watcher. The first {@link #next} opens the first watch.
     *
     * @param resourceVersion the version after which events are returned, such as that of a list
     * @param source opens watches
     * @param scheduler the time; not closed
     * @throws IllegalArgumentException if the version is empty or "0": such a watch would not return all later events
     */
    public RetryWatcher(String resourceVersion, ListerWatcher<T> source, Scheduler scheduler) {
        if (resourceVersion.isEmpty() || resourceVersion.equals("0")) {
            throw new IllegalArgumentException("cannot watch from the version \"" + resourceVersion
                    + "\"; use the version of a list or of an object");
        }
        this.resourceVersion = resourceVersion;
        this.scheduler = SafeScheduler.uncounted(scheduler); // the caller's thread reads
        this.watches = new WatchFactory<>(
                source, this.scheduler, () -> ThreadLocalRandom.current().nextDouble(), MIN_WATCH_TIMEOUT);
        this.notBeforeNanos = scheduler.nanoTime();
    }

    /**
     * Returns the next event, or null after the last event or {@link #close}. Blocks until an event arrives, without a
     * time limit.
     *
     * @throws TransportException of kind {@code CLOSED} if the thread is interrupted or the transport is closed; of
     *     kind {@code CONFIGURATION} if no watch can ever be opened. The watcher has ended then
     */
    @Override
    public @Nullable WatchEvent<T> next() {
        while (!ended && !closed.isReleased()) {
            if (watch == null) {
                awaitStart();
                WatchEvent<T> refusal = closed.isReleased() ? null : open();
                if (refusal != null) {
                    return refusal;
                }
            } else {
                WatchEnd end = watch.read(this::isSkipped);
                WatchEvent<T> event = end == null ? taken : endOfWatch(end);
                if (event != null) {
                    return event;
                }
            }
        }
        return null;
    }

    /** Processes an event. Returns true if the caller must read the next one instead of returning it. */
    private boolean isSkipped(WatchEvent<T> event) {
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

    /** Returns the last event if the watcher ends; null if another watch follows. */
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
            LOG.warn(
                    "A frame of the watch is malformed; reopening the watch from {}",
                    resourceVersion,
                    malformed.failure());
        } else {
            LOG.debug("The watch ended; reopening it from {}", resourceVersion, end.failure());
        }
        return null;
    }

    /** Opens a watch. Returns the last event if the server will never allow it. */
    private @Nullable WatchEvent<T> open() {
        notBeforeNanos = scheduler.nanoTime() + MIN_RESTART_DELAY.toNanos();
        try {
            watch = watches.open(ListOptionsBuilder.builder().resourceVersion(resourceVersion));
        } catch (ApiException e) {
            if (e.isUnauthorized() || e.isForbidden()) {
                return last(e.status());
            }
            notBefore(e);
            LOG.debug("The server refused the watch from {}; retrying", resourceVersion, e);
        } catch (TransportException e) {
            throwIfFinal(e);
            LOG.debug("Cannot open the watch from {}; retrying", resourceVersion, e);
        }
        return null;
    }

    private void throwIfFinal(TransportException failure) {
        boolean isFinal = failure.kind() == TransportException.Kind.CLOSED
                || failure.kind() == TransportException.Kind.CONFIGURATION;
        if (isFinal && !closed.isReleased()) {
            end();
            throw failure;
        }
    }

    private void notBefore(ApiException refusal) {
        if (refusal.retryAfter() != null) {
            long asked = scheduler.nanoTime() + Durations.nanos(refusal.retryAfter());
            notBeforeNanos = asked - notBeforeNanos > 0 ? asked : notBeforeNanos;
        }
    }

    private void awaitStart() {
        try {
            closed.await(scheduler, Duration.ofNanos(notBeforeNanos - scheduler.nanoTime()));
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

    /** Returns the version from which the next watch starts. Only the reading thread may call this. */
    public String resourceVersion() {
        return resourceVersion;
    }

    @Override
    public void close() {
        closed.release();
        watches.close();
    }
}
