package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.http.wire.HttpThreads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open watches of an HTTP front end: sends heartbeats to idle watches, and ends all watches on close.
 * Thread-safe; {@link #close} does not wait for the watches.
 */
final class Heartbeats implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Heartbeats.class);

    // B1  An output that is added after closed was set ends itself; close() ends every output that was added
    //     before.
    //
    // Guarded by lock: only the wait between beats. A beat can block while its client does not read. Therefore each
    // beat has its own thread, and the heartbeat thread only starts these threads.
    private final Set<WatchOutput> open = ConcurrentHashMap.newKeySet();
    private final HttpThreads threads;
    private final Duration idle;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private volatile boolean closed;

    Heartbeats(HttpThreads threads, Duration idle) {
        this.threads = threads;
        this.idle = idle;
    }

    /** Starts the heartbeat thread, which also runs the given task before each beat. */
    void start(Runnable besides) {
        threads.start("heartbeat", () -> beatUntilClosed(besides));
    }

    void add(WatchOutput output) {
        open.add(output);
        if (closed) {
            output.end();
        }
    }

    void remove(WatchOutput output) {
        open.remove(output);
    }

    private void beatUntilClosed(Runnable besides) {
        while (awaitNext()) {
            try {
                besides.run();
                open.stream()
                        .filter(output -> output.isIdle(idle))
                        .forEach(output -> threads.start("beat", () -> output.beat(idle)));
            } catch (RuntimeException | Error e) {
                // For example, there is no memory for another thread. The next beat tries again, and the task still
                // cuts off blocked clients.
                log.warn("A heartbeat failed: error={}", e.toString());
            }
        }
    }

    private boolean awaitNext() {
        lock.lock();
        try {
            long left = TimeUnit.NANOSECONDS.convert(idle);
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
        open.forEach(WatchOutput::end);
    }
}
