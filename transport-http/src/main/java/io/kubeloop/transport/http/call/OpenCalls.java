package io.kubeloop.transport.http.call;

import io.kubeloop.transport.http.pacing.CallTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.ConnectionPool;

/** Every exchange that is under way, so that closing the transport ends them all. */
public final class OpenCalls {

    // O1: a call is in `calls` from before it executes until its answer was closed.
    // O2: after close() every call that is or will be added is cancelled: add() looks at `closed` after adding, close()
    //     goes through `calls` after setting it, so that one of the two sees the other.
    // O3: after close() and the end of the last call no connection is left: whoever removes a call evicts what it used.
    // O4: a pool is in `pools` for as long as a call may put a connection into it or has left one there: add() brings
    //     it in after the call, drop() looks for calls again after taking it out, so that one of the two sees
    //     the other.
    // Any thread calls anything; there is no lock.
    private final Map<Call, ConnectionPool> calls = new ConcurrentHashMap<>();
    private final Set<ConnectionPool> pools = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Takes on pools that calls are about to use, and lets go of former ones that have run dry. */
    void manage(ConnectionPool... fresh) {
        pools.stream().filter(this::isDry).forEach(this::drop);
        pools.addAll(List.of(fresh));
    }

    private void drop(ConnectionPool pool) {
        pools.remove(pool);
        if (!isDry(pool)) {
            pools.add(pool);
            if (isClosed()) {
                pool.evictAll();
            }
        }
    }

    private boolean isDry(ConnectionPool pool) {
        // In this order: a call that has gone from here has its connection, if any, in the pool's count.
        return !calls.containsValue(pool) && pool.connectionCount() == 0;
    }

    /** Returns how many pools may have connections. */
    int pools() {
        return pools.size();
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Takes on a call that is about to execute with connections of this pool. */
    void add(Call call, ConnectionPool pool) {
        calls.put(call, pool);
        pools.add(pool);
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

    /** Waits, unless closed meanwhile; see {@link CallTime.Pause}. */
    public boolean await(Duration duration) throws InterruptedException {
        return !closed.await(duration.toNanos(), TimeUnit.NANOSECONDS);
    }

    void close() {
        closed.countDown();
        calls.keySet().forEach(Call::cancel);
        evictIdle();
    }
}
