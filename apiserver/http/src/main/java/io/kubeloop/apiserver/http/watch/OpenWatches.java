/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.watch;

import io.kubeloop.runtime.OwnedThreads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open watches and other streams of an HTTP front end: ends those of disconnected clients, and all on close. It
 * sends nothing to a client. Thread-safe; {@link #close} does not wait for the watches.
 */
public final class OpenWatches implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(OpenWatches.class);

    /*
     * Invariant:
     *   B1  A watch that is added after closed was set ends itself; close() ends every watch that was added
     *       before.
     *
     * Guarded by lock: only the wait between checks. A check blocks for at most 1 ms for each watch.
     */
    private final Set<Watch> open = ConcurrentHashMap.newKeySet();
    private final OwnedThreads threads;
    private final Duration interval;

    /** Held by the checking thread between two checks, for its wait. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition ended = lock.newCondition();
    private volatile boolean closed;

    /** One open watch. Equal only to itself. */
    public static final class Watch {

        private final BooleanSupplier clientHasLeft;
        private final Runnable end;

        private Watch(BooleanSupplier clientHasLeft, Runnable end) {
            this.clientHasLeft = clientHasLeft;
            this.end = end;
        }
    }

    /**
     * Creates an empty set.
     *
     * @param threads starts the checking thread
     * @param interval the time between checks; positive
     */
    public OpenWatches(OwnedThreads threads, Duration interval) {
        this.threads = threads;
        this.interval = interval;
    }

    /** Starts the checking thread, which also runs the given task before each check. */
    public void start(Runnable besides) {
        threads.start("kubeloop-http-watches", () -> checkUntilClosed(besides));
    }

    /**
     * Adds a watch and returns its handle for {@link #remove}.
     *
     * @param clientHasLeft returns whether the client has disconnected; blocks for at most 1 ms
     * @param end ends the watch, so the thread that writes it returns; must not block
     */
    public Watch add(BooleanSupplier clientHasLeft, Runnable end) {
        Watch watch = new Watch(clientHasLeft, end);
        open.add(watch);
        if (closed) {
            end.run();
        }
        return watch;
    }

    /** Removes a watch that has ended. */
    public void remove(Watch watch) {
        open.remove(watch);
    }

    private void checkUntilClosed(Runnable besides) {
        while (awaitNext()) {
            try {
                besides.run();
                for (Watch watch : open) {
                    if (!closed && watch.clientHasLeft.getAsBoolean()) {
                        watch.end.run();
                    }
                }
            } catch (RuntimeException | Error e) {
                // The next check tries again, and the task still cuts off blocked clients.
                log.warn("A check of the open watches failed: error={}", e.toString());
            }
        }
    }

    private boolean awaitNext() {
        lock.lock();
        try {
            long left = TimeUnit.NANOSECONDS.convert(interval);
            while (!closed && left > 0) {
                left = ended.awaitNanos(left);
            }
            return !closed;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            ended.signalAll();
        } finally {
            lock.unlock();
        }
        open.forEach(watch -> watch.end.run());
    }
}
