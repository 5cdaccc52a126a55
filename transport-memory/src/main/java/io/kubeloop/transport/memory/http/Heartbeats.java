package io.kubeloop.transport.memory.http;

import io.kubeloop.transport.memory.http.wire.HttpThreads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All open watches of a HTTP front end: looks after idle ones, and ends them when the HTTP front end closes. Thread-safe. */
final class Heartbeats implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Heartbeats.class);

    // B1: an output that is added after closed was set ends itself; one added before is ended by close.
    // Guarded by lock: the waiting between beats, nothing else. A beat can block as long as a client does not read, so
    // each has a thread of its own; the thread that beats only starts them.
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

    /** Begins to beat, and to do something besides at each beat. */
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
                // No memory for one more thread, say: the next beat tries again, and clients are still cut off.
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
