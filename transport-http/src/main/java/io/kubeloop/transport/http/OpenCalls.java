package io.kubeloop.transport.http;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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
    // O4: a pool stays in `pools` for as long as it may have a connection.
    // Any thread calls anything; there is no lock.
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();
    private final List<ConnectionPool> pools = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Takes on pools that calls are about to use, and lets go of former ones that have run dry. */
    void manage(ConnectionPool... fresh) {
        // Whoever still holds a client of a pool that is empty now may put a connection into it, which OkHttp closes
        // when it has been idle for a while; hence the newest are kept until newer ones come.
        List<ConnectionPool> dry = pools.stream()
                .limit(Math.max(0, pools.size() - fresh.length))
                .filter(pool -> pool.connectionCount() == 0)
                .toList();
        pools.removeAll(dry);
        pools.addAll(Arrays.asList(fresh));
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
