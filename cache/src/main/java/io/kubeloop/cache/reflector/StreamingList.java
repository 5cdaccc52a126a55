/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The first part of a streaming list: a watch that starts with the current objects (upstream: WatchList, KEP-3157).
 * Collects them until the server marks their end; the watch then continues as an ordinary one. Confined to the
 * reflector thread, except lastNewsNanos, which the timer thread also reads.
 */
public final class StreamingList<T extends KubeObject> {

    /**
     * The time without a new object after which the server is assumed not to support streaming lists. An object is new
     * if it was not collected before. A server that treats the request as an ordinary watch sends changes and bookmarks
     * for as long as the watch lasts.
     */
    static final Duration SILENCE = Duration.ofSeconds(10);

    /**
     * The last part of that time, reserved for a reader that is late. After a pause of the process, the timer may run
     * before the reader has read the data that has arrived.
     */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final ActiveWatch<T> watch;
    private final Scheduler scheduler;
    private final Map<ObjectName, T> collected = new LinkedHashMap<>();
    private String resourceVersion = "";
    private volatile long lastNewsNanos;
    private volatile Scheduler.Task watchdog = () -> {};
    private volatile boolean silent;
    private volatile boolean done;

    private StreamingList(ActiveWatch<T> watch, Scheduler scheduler) {
        this.watch = watch;
        this.scheduler = scheduler;
        this.lastNewsNanos = scheduler.nanoTime();
    }

    /** The result of a request for a streaming list. */
    sealed interface Outcome<T> {

        /** All initial objects have arrived. */
        record Complete<T>(ActiveWatch<T> watch, List<T> objects, String resourceVersion) implements Outcome<T> {}

        /** The stream ended first. */
        record Ended<T>(WatchEnd end) implements Outcome<T> {}

        /** The server sent no new object in time, or no version, so it does not support streaming lists. */
        record Silent<T>() implements Outcome<T> {}
    }

    /**
     * Requests a streaming list at least as fresh as the version, and collects it. Blocks until it is complete, has
     * ended, or the server has sent nothing new for {@link #SILENCE}.
     *
     * @param version empty for the most recent state
     */
    static <T extends KubeObject> Outcome<T> read(WatchFactory<T> watches, Scheduler scheduler, String version) {
        ActiveWatch<T> watch = watches.open(ListOptionsBuilder.builder()
                .resourceVersion(version)
                .resourceVersionMatch("NotOlderThan")
                .sendInitialEvents(true));
        StreamingList<T> list = new StreamingList<>(watch, scheduler);
        boolean complete = false;
        try {
            list.look(SILENCE.minus(GRACE), list::suspectSilence);
            WatchEnd end = watch.read(list::collect);
            if (end == null && list.resourceVersion.isEmpty()) {
                return new Outcome.Silent<>(); // a watch could not continue from it
            }
            if (end == null) {
                complete = true;
                return new Outcome.Complete<>(watch, List.copyOf(list.collected.values()), list.resourceVersion);
            }
            return list.silent ? new Outcome.Silent<>() : new Outcome.Ended<>(end);
        } finally {
            list.done = true;
            list.watchdog.cancel();
            if (!complete) {
                watch.close();
            }
        }
    }

    /** Takes an event. Returns false when the initial objects are complete. */
    private boolean collect(WatchEvent<T> event) {
        if (event instanceof WatchEvent.Added<T> added) {
            if (collected.put(added.object().objectName(), added.object()) == null) {
                lastNewsNanos = scheduler.nanoTime();
            }
        } else if (event instanceof WatchEvent.Modified<T> modified) {
            collected.put(modified.object().objectName(), modified.object());
            reached(modified.object().metadata().resourceVersion());
        } else if (event instanceof WatchEvent.Deleted<T> deleted) {
            collected.remove(deleted.object().objectName());
            reached(deleted.object().metadata().resourceVersion());
        } else if (event instanceof WatchEvent.Bookmark<T> bookmark) {
            reached(bookmark.metadata().resourceVersion());
            return !bookmark.endsInitialEvents();
        }
        return true;
    }

    private void reached(String version) {
        resourceVersion = version.isEmpty() ? resourceVersion : version;
    }

    /** Timer thread. */
    private void suspectSilence() {
        long last = lastNewsNanos;
        Duration left = SILENCE.minus(GRACE).minusNanos(scheduler.nanoTime() - last);
        if (left.isZero() || left.isNegative()) {
            look(GRACE, () -> endIfSilentSince(last));
        } else {
            look(left, this::suspectSilence);
        }
    }

    /** Timer thread. */
    private void endIfSilentSince(long last) {
        if (lastNewsNanos == last) {
            silent = true;
            watch.close();
        } else {
            suspectSilence();
        }
    }

    /** Runs the check after the delay, unless the list has ended by then. */
    private void look(Duration delay, Runnable how) {
        watchdog = scheduler.schedule(delay, () -> {
            if (!done) {
                how.run();
            }
        });
        if (done) {
            watchdog.cancel();
        }
    }
}
