/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.Transport;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one instance of the operator, from its start until it is killed. It marks the requests of the
 * instance on the threads that execute them. Thread-safe; no method blocks.
 */
public final class Lane {

    /*
     * Invariants
     *   L1  After kill() no request of the instance is executed, and no watch of it stays open: either kill() finds the
     *       watch in `watches`, or the thread that adds it reads `dead` as true and closes it.
     */

    private static final ThreadLocal<@Nullable Lane> CURRENT = new ThreadLocal<>();

    private final int number;
    private final Set<LaneFrames> watches = ConcurrentHashMap.newKeySet();

    /** The resources of the watches that an effect has ended, until the instance watches them again. */
    private final Set<String> unwatched = ConcurrentHashMap.newKeySet();

    private final AtomicInteger requests = new AtomicInteger();
    private volatile boolean dead;

    Lane(int number) {
        this.number = number;
    }

    /** Returns the lane of the request that this thread executes; null if an operator did not send it. */
    static @Nullable Lane current() {
        return CURRENT.get();
    }

    /** Returns the number of the instance, from 0. */
    public int number() {
        return number;
    }

    /** Returns whether the instance was killed. */
    public boolean isDead() {
        return dead;
    }

    /** Returns the number of requests so far, without those for leases; at least 1 if there was any request. */
    public int requests() {
        return requests.get();
    }

    /** Notes a request that is not counted, as the renewal of a lease: the instance has started. */
    void awake() {
        requests.compareAndSet(0, 1);
    }

    int count() {
        return requests.incrementAndGet();
    }

    /** Cuts the connections of the instance: its watches end, and its requests get no answer. */
    void kill() {
        dead = true;
        watches.forEach(LaneFrames::close);
    }

    LaneFrames add(LaneFrames watch) {
        watches.add(watch);
        unwatched.remove(watch.call().resource());
        if (dead) {
            watch.close();
        }
        return watch;
    }

    void remove(LaneFrames watch) {
        watches.remove(watch);
    }

    /** Notes that an effect has ended a watch; the client may wait for a second before it opens the next one. */
    void end(LaneFrames watch) {
        unwatched.add(watch.call().resource());
    }

    /** Returns whether the instance has yet to open a watch again that an effect has ended. */
    boolean isBlind() {
        return !unwatched.isEmpty();
    }

    /** Returns the open watches; a snapshot is not taken. */
    public Set<LaneFrames> watches() {
        return watches;
    }

    /** Runs a request of the instance on this thread. */
    <T> T call(Supplier<T> request) {
        return on(this, request);
    }

    /** Runs a request of the user on this thread, which may execute one of an instance. */
    static <T> T callAsUser(Supplier<T> request) {
        return on(null, request);
    }

    private static <T> T on(@Nullable Lane lane, Supplier<T> request) {
        Lane before = CURRENT.get();
        set(lane);
        try {
            return request.get();
        } finally {
            set(before);
        }
    }

    private static void set(@Nullable Lane lane) {
        if (lane == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(lane);
        }
    }

    /** Returns a transport whose requests are those of the instance. Its {@code close} does not close the other. */
    Transport over(Transport transport) {
        return new LaneTransport(this, transport);
    }

    private record LaneTransport(Lane lane, Transport transport) implements Transport {

        @Override
        public ApiResponse execute(ApiRequest request) {
            return lane.call(() -> transport.execute(request));
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            return lane.call(() -> transport.stream(request));
        }

        @Override
        public void close() {
            lane.kill();
        }
    }
}
