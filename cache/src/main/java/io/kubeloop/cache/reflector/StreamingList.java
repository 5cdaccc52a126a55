package io.kubeloop.cache.reflector;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.cache.Timers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The first part of a streaming list: a watch that begins with the present state (upstream: WatchList, KEP-3157; RE-60 to
 * RE-67). Collects it until the server marks its end; the watch then goes on as an ordinary one. Confined to the reflector
 * thread, but for the watchdog's reads of {@code lastNewsNanos}.
 */
public final class StreamingList<T extends KubeObject> {

    /**
     * A server that says nothing new for so long has not understood the question (RE-22). New is what was not collected before:
     * one that takes the question for that of an ordinary watch tells of changes, and sends bookmarks, for as long as it lasts.
     */
    static final Duration SILENCE = Duration.ofSeconds(10);

    /**
     * The last part of the silence, which the reader gets for itself however late it is: a process that was stopped for a
     * while has everything to read still, and its timer may be the first to wake up.
     */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final ActiveWatch<T> watch;
    private final Timers timers;
    private final Map<ObjectName, T> collected = new LinkedHashMap<>();
    private String resourceVersion = "";
    private volatile long lastNewsNanos;
    private volatile Timers.Timeout watchdog = () -> {};
    private volatile boolean silent;
    private volatile boolean done;

    private StreamingList(ActiveWatch<T> watch, Timers timers) {
        this.watch = watch;
        this.timers = timers;
        this.lastNewsNanos = timers.nanoTime();
    }

    /** How the attempt ended. */
    sealed interface Outcome<T> {

        /** Everything came. */
        record Complete<T>(ActiveWatch<T> watch, List<T> objects, String resourceVersion) implements Outcome<T> {}

        /** The stream ended first. */
        record Ended<T>(WatchEnd end) implements Outcome<T> {}

        /** The server had nothing new to say, or did not say of which version it was: it does not do streaming lists. */
        record Silent<T>() implements Outcome<T> {}
    }

    /**
     * Asks for a streaming list at least as fresh as the version and collects it. Blocks.
     *
     * @param version empty for the most recent state
     */
    static <T extends KubeObject> Outcome<T> read(WatchFactory<T> watches, Timers timers, String version) {
        ActiveWatch<T> watch = watches.open(ListOptionsBuilder.builder()
                .resourceVersion(version)
                .resourceVersionMatch("NotOlderThan")
                .sendInitialEvents(true));
        StreamingList<T> list = new StreamingList<>(watch, timers);
        boolean complete = false;
        try {
            list.look(SILENCE.minus(GRACE), list::suspectSilence);
            WatchEnd end = watch.read(list::collect);
            if (end == null && list.resourceVersion.isEmpty()) {
                return new Outcome.Silent<>(); // there is nothing that a watch could go on from
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

    /** Takes an event; returns false when the initial events are complete. */
    private boolean collect(WatchEvent<T> event) {
        if (event instanceof WatchEvent.Added<T> added) {
            if (collected.put(added.object().objectName(), added.object()) == null) {
                lastNewsNanos = timers.nanoTime();
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
        Duration left = SILENCE.minus(GRACE).minusNanos(timers.nanoTime() - last);
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

    /** Looks after the delay, unless all is done by then. */
    private void look(Duration delay, Runnable how) {
        watchdog = timers.schedule(delay, () -> {
            if (!done) {
                how.run();
            }
        });
        if (done) {
            watchdog.cancel();
        }
    }
}
