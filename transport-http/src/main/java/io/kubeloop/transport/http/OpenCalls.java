package io.kubeloop.transport.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.ConnectionPool;

/** Every exchange that is under way, so that closing the transport ends them all. */
final class OpenCalls {

    // O1: a call is in `calls` from before it executes until its answer was closed.
    // O2: after close() every call that is or will be added is cancelled: add() looks at `closed` after adding, close()
    //     goes through `calls` after setting it, so that one of the two sees the other.
    // O3: after close() and the end of the last call no connection is left: whoever removes a call evicts what it used.
    // Any thread calls anything; there is no lock.
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ConnectionPool[] pools;

    OpenCalls(ConnectionPool... pools) {
        this.pools = pools;
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    void add(Call call) {
        calls.add(call);
        if (isClosed()) {
            call.cancel();
        }
    }

    void remove(Call call) {
        calls.remove(call);
        if (isClosed()) {
            evictIdle();
        }
    }

    /** Frees the connections that nobody uses at the moment. */
    void evictIdle() {
        for (ConnectionPool pool : pools) {
            pool.evictAll();
        }
    }

    /** Waits, unless closed meanwhile; see {@link Pause}. */
    boolean await(Duration duration) throws InterruptedException {
        return !closed.await(duration.toNanos(), TimeUnit.NANOSECONDS);
    }

    void close() {
        closed.countDown();
        calls.forEach(Call::cancel);
        evictIdle();
    }
}
