package io.kubeloop.transport.memory.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** All open watches of a face: looks after idle ones, and ends them when the face closes. Thread-safe. */
final class Heartbeats implements AutoCloseable {

    private final Set<WatchOutput> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService executor;
    private final Duration idle;
    private final ScheduledExecutorService timer;
    private final ScheduledFuture<?> beats;
    private volatile boolean closed;

    Heartbeats(ExecutorService executor, Duration idle) {
        this.executor = executor;
        this.idle = idle;
        timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "kubeloop-http-heartbeat");
            thread.setDaemon(true);
            return thread;
        });
        beats = timer.scheduleWithFixedDelay(this::beatAll, idle.toNanos(), idle.toNanos(), TimeUnit.NANOSECONDS);
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

    private void beatAll() {
        for (WatchOutput output : open) {
            try {
                executor.execute(() -> output.beat(idle));
            } catch (RejectedExecutionException e) {
                return; // the face is closing
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        beats.cancel(false);
        timer.shutdownNow();
        open.forEach(WatchOutput::end);
    }
}
