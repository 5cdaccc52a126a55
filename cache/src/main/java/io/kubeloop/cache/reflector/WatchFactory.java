package io.kubeloop.cache.reflector;

import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.cache.Timers;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens watches, one at a time, each with an end of its own: the server is asked to end it after 5 to 10 minutes, and if
 * nothing is heard of that it is ended here (I8). Opened by the reflector thread; ended and closed by any.
 */
public final class WatchFactory<T> {

    /* lock guards current and closed; it is held neither while a watch is opened nor while one is closed. */

    /** How much later than the server this side gives up. */
    static final Duration SLACK = Duration.ofSeconds(30);

    /** 68 years, for those who want no end: a server counts in nanoseconds, of which 64 bits hold 292. */
    private static final long MOST_SECONDS = Integer.MAX_VALUE;

    private final ListerWatcher<T> source;
    private final Timers timers;
    private final DoubleSupplier random;
    private final Duration minTimeout;

    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ActiveWatch<T> current;
    private boolean closed;

    public WatchFactory(ListerWatcher<T> source, Timers timers, DoubleSupplier random, Duration minTimeout) {
        this.source = source;
        this.timers = timers;
        this.random = random;
        this.minTimeout = minTimeout;
    }

    /** Opens a watch; time-out, deadline and the wish for bookmarks are filled in (RE-03, RE-40). Blocks. */
    public ActiveWatch<T> open(ListOptionsBuilder options) {
        long seconds = Math.min(MOST_SECONDS, (long) (minTimeout.toSeconds() * (1 + random.getAsDouble())));
        Duration deadline = Duration.ofSeconds(seconds).plus(SLACK);
        ListOptions request = options.allowWatchBookmarks(true)
                .timeoutSeconds(seconds)
                .deadline(deadline)
                .build();
        long startNanos = timers.nanoTime();
        WatchStream<T> stream = source.watch(request);
        String version = request.resourceVersion();
        ActiveWatch<T> opened = new ActiveWatch<>(stream, timers, startNanos, version.isEmpty() || version.equals("0"));
        if (!register(opened)) {
            opened.close();
            throw new TransportException(TransportException.Kind.CLOSED, "the informer was closed", null);
        }
        boolean limited = false;
        try {
            opened.endAfter(deadline);
            limited = true;
        } finally {
            if (!limited) {
                endWatch(); // no timer, no watch: it might never end
            }
        }
        return opened;
    }

    private boolean register(ActiveWatch<T> opened) {
        lock.lock();
        try {
            current = opened;
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the open watch, if any. */
    public void endWatch() {
        ActiveWatch<T> open;
        lock.lock();
        try {
            open = current;
            current = null;
        } finally {
            lock.unlock();
        }
        if (open != null) {
            open.close();
        }
    }

    /** Ends the open watch, if any, and lets no other be opened. */
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        endWatch();
    }
}
