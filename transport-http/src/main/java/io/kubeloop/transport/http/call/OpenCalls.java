/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import io.kubeloop.runtime.OneShotLatch;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import okhttp3.Call;
import okhttp3.ConnectionPool;

/** The calls of one transport that have not ended, so closing the transport can end them. Thread-safe. */
public final class OpenCalls {

    /*
     * Invariants:
     * O1: a call is in `calls` from before it executes until its response is closed.
     * O2: after close() every call is canceled, also one that is added later: add() reads `closed` after it has added
     *     the call, and close() walks `calls` after it has set `closed`.
     * O3: after close() and the end of the last call no connection is left: remove() evicts the idle connections.
     * O4: a pool is in `pools` while a call may put a connection into it, or it holds a connection: add() adds the pool
     *     after the call, and drop() searches for calls again after it has removed the pool.
     * Any thread calls any method. There is no lock.
     */
    private final Map<Call, ConnectionPool> calls = new ConcurrentHashMap<>();
    private final Set<ConnectionPool> pools = ConcurrentHashMap.newKeySet();
    private final OneShotLatch closed = new OneShotLatch();

    /** Adds pools that calls are about to use, and removes former pools that are empty. */
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
        // The order matters: a call that is no longer in `calls` is counted by the pool, if it has a connection.
        return !calls.containsValue(pool) && pool.connectionCount() == 0;
    }

    /** Returns the number of pools that may hold connections. */
    int pools() {
        return pools.size();
    }

    boolean isClosed() {
        return closed.isReleased();
    }

    /** Adds a call that is about to execute with connections of this pool. */
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

    /**
     * Closes the connections that no call uses. After a time-out, the server may be slow or the connection dead; to
     * detect a dead one takes a minute over HTTP/2, so the next request must not use it.
     */
    void evictIdle() {
        for (ConnectionPool pool : pools) {
            pool.evictAll();
        }
    }

    /**
     * Blocks for a duration, or until {@link #close()}.
     *
     * @return whether the transport is still open
     */
    boolean await(Scheduler scheduler, Duration duration) throws InterruptedException {
        return !closed.await(scheduler, duration);
    }

    void close() {
        closed.release();
        calls.keySet().forEach(Call::cancel);
        evictIdle();
    }
}
