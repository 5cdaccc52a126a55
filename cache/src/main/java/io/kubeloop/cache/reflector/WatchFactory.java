/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.ListOptionsBuilder;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.WatchStream;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens watches, one at a time. Each request asks the server to end the watch after 5 to 10 minutes; if the server does
 * not, this class closes the watch. The reflector thread opens watches; any thread may end and close them.
 */
public final class WatchFactory<T> {

    /* The lock is held neither while a watch is opened nor while one is closed. */

    /** The time that this class gives the server, after the requested end, before it closes a watch. */
    static final Duration SLACK = Duration.ofSeconds(30);

    /**
     * The longest timeout to request, 68 years. A server counts nanoseconds in 64 bits, which overflow after 292 years.
     */
    private static final long MOST_SECONDS = Integer.MAX_VALUE;

    private final ListerWatcher<T> source;
    private final Scheduler scheduler;
    private final DoubleSupplier random;
    private final Duration minTimeout;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable ActiveWatch<T> current;

    @GuardedBy("lock")
    private boolean closed;

    public WatchFactory(ListerWatcher<T> source, Scheduler scheduler, DoubleSupplier random, Duration minTimeout) {
        this.source = source;
        this.scheduler = scheduler;
        this.random = random;
        this.minTimeout = minTimeout;
    }

    /**
     * Opens a watch, and fills in timeout, deadline and the request for bookmarks. Blocks until the server has
     * answered; an interrupt ends the request, if the transport supports it.
     *
     * @throws TransportException of kind {@code CLOSED} if this factory is closed
     */
    public ActiveWatch<T> open(ListOptionsBuilder options) {
        long seconds = Math.min(MOST_SECONDS, (long) (minTimeout.toSeconds() * (1 + random.getAsDouble())));
        Duration deadline = Duration.ofSeconds(seconds).plus(SLACK);
        ListOptions request = options.allowWatchBookmarks(true)
                .timeoutSeconds(seconds)
                .deadline(deadline)
                .build();
        long startNanos = scheduler.nanoTime();
        WatchStream<T> stream = source.watch(request);
        String version = request.resourceVersion();
        ActiveWatch<T> opened =
                new ActiveWatch<>(stream, scheduler, startNanos, version.isEmpty() || version.equals("0"));
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
                endWatch(); // a watch without a timer might never end
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

    /** Ends the open watch, if there is one. */
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

    /** Ends the open watch, if there is one, and rejects later requests. */
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
