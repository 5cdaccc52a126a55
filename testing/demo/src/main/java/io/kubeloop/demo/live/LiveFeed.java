/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo.live;

import io.kubeloop.demo.live.Passage.Stage;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes the reports of the observers on to the viewers. Without a viewer, a report costs the read of one volatile
 * field.
 *
 * <p>People cannot follow more than {@value #READABLE} passages a second. Above that the feed samples objects: it
 * reports all passages of some objects, and of those that a viewer follows, and says which part of the objects that is.
 *
 * <p>Thread-safe. A report does not block, unless a {@link Gate} does.
 */
public final class LiveFeed {

    /*
     * Invariants:
     *   F1  watched is true if and only if viewers is not empty; changed under the lock.
     *   F2  Passages of one object are reported all or not at all, unless the sample changes in between.
     *
     * Threads: the threads of the loop report; a thread of the HTTP server per viewer opens, takes and closes.
     */

    /** The most passages a second that are all reported. */
    static final int READABLE = 2000;

    /**
     * The passages that wait for a viewer; more are dropped, and counted. A viewer takes them every few milliseconds.
     */
    private static final int BACKLOG = 4096;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Holds up the threads of a demo whose viewer wants to see every step. */
    @FunctionalInterface
    public interface Gate {

        /** Lets every passage continue at once. */
        Gate OPEN = passage -> {};

        /** Blocks until the passage may continue. An interrupt ends the wait and stays set. */
        void await(Passage passage);

        /** The last viewer has left. */
        default void left() {}
    }

    private final long start = System.nanoTime();
    private final Gate gate;

    /** Held from the change of the viewers to the flag that follows from them. */
    private final ReentrantLock lock = new ReentrantLock();

    private final List<Viewer> viewers = new CopyOnWriteArrayList<>();
    private volatile boolean watched;

    private final AtomicLong numbers = new AtomicLong();
    private final LongAdder passed = new LongAdder();

    /** The passages and the time at the last decision about the sample; one thread at a time decides. */
    private final AtomicLong decidedAt = new AtomicLong(start);

    private final AtomicLong countedAt = new AtomicLong();
    private volatile int oneOf = 1;

    /** Creates a feed without viewers. */
    public LiveFeed(Gate gate) {
        this.gate = gate;
    }

    /** Returns whether anybody looks. */
    public boolean isWatched() {
        return watched;
    }

    /** Reports a passage. Callers check {@link #isWatched} first, so no passage is built without a viewer. */
    public void report(Passage passage) {
        passed.increment();
        long now = System.nanoTime();
        if (now - decidedAt.get() > SECOND) {
            decide(now);
        }
        String subject = passage.subject();
        boolean sampled = isSampled(subject, oneOf);
        JsonObject json = null;
        for (Viewer viewer : viewers) {
            if (sampled || viewer.follows(subject)) {
                json = json == null ? passage.json(numbers.incrementAndGet(), now - start) : json;
                viewer.offer(json);
            }
        }
        gate.await(passage);
    }

    private void decide(long now) {
        long before = decidedAt.get();
        if (now - before > SECOND && decidedAt.compareAndSet(before, now)) {
            long count = passed.sum();
            double rate = (count - countedAt.getAndSet(count)) / ((now - before) / 1e9);
            oneOf = (int) Math.max(1, Math.ceil(rate / READABLE));
        }
    }

    private static boolean isSampled(String key, int oneOf) {
        return oneOf == 1 || Math.floorMod((key.hashCode() * 0x9E3779B1) >>> 8, oneOf) == 0;
    }

    /** Returns which part of the objects is reported: 1 for all, n for one of n. */
    int sample() {
        return System.nanoTime() - decidedAt.get() > 2 * SECOND ? 1 : oneOf;
    }

    /** Returns the number of passages since the start, of all objects. While nobody looks, none are counted. */
    long passed() {
        return passed.sum();
    }

    /** Returns the nanoseconds since the start of the feed. */
    long nanos() {
        return System.nanoTime() - start;
    }

    /**
     * Adds a viewer, who must be closed.
     *
     * @param follow the beginnings of the keys whose passages are always reported, separated by commas; empty for none
     */
    Viewer open(String follow) {
        Viewer viewer = new Viewer(follow);
        lock.lock();
        try {
            viewers.add(viewer);
            watched = true;
        } finally {
            lock.unlock();
        }
        return viewer;
    }

    private void remove(Viewer viewer) {
        boolean last;
        lock.lock();
        try {
            viewers.remove(viewer);
            watched = !viewers.isEmpty();
            last = !watched;
        } finally {
            lock.unlock();
        }
        if (last) {
            gate.left();
        }
    }

    /** One who looks. */
    final class Viewer implements AutoCloseable {

        private final List<String> followed;
        private final BlockingQueue<JsonObject> waiting = new ArrayBlockingQueue<>(BACKLOG);
        private final AtomicInteger dropped = new AtomicInteger();

        private Viewer(String follow) {
            followed = follow.isEmpty() ? List.of() : List.of(follow.split(","));
        }

        private boolean follows(String key) {
            return followed.stream().anyMatch(key::startsWith);
        }

        private void offer(JsonObject passage) {
            if (!waiting.offer(passage)) {
                dropped.incrementAndGet();
            }
        }

        /** Returns the passages that wait, and removes them. Does not block. */
        List<JsonObject> take() {
            List<JsonObject> taken = new ArrayList<>();
            waiting.drainTo(taken);
            return taken;
        }

        /** Returns the number of passages that this viewer missed. */
        int dropped() {
            return dropped.get();
        }

        @Override
        public void close() {
            remove(this);
        }
    }

    /** Reports a passage if anybody looks. */
    void report(Stage stage, String kind, String lane, String key, String by) {
        if (watched) {
            report(new Passage(stage, kind, lane, key, "", by));
        }
    }
}
