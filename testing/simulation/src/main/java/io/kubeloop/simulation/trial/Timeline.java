/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.trial;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.simulation.Moment;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** What happened in a run, in the order of time. Thread-safe; only what a caller lets it run may block. */
final class Timeline {

    /** A report of a hot loop need not show all of it. */
    private static final int MOST = 2_000;

    /** In place of the number of an instance: the user, another component or the trial. */
    private static final int OTHER = -1;

    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Moment> moments = new ArrayList<>();

    @GuardedBy("lock")
    private int met;

    Timeline(Clock clock) {
        this.clock = clock;
    }

    /** Adds what an instance did or saw. */
    void add(Lane lane, Moment.Kind kind, String verb, String resource, String object, int result) {
        insert(MOST, lane.number(), kind, verb, resource, object, result);
    }

    /** Adds a change of the user or another component. */
    void add(Moment.Kind kind, Call call, int result) {
        insert(MOST, OTHER, kind, call.verb().toString(), call.path(), call.key(), result);
    }

    /** Adds a step of the workload. */
    void step(String name) {
        insert(MOST, OTHER, Moment.Kind.STEP, "", "", name, 0);
    }

    private void insert(
            int at, int instance, Moment.Kind kind, String verb, String resource, String object, int result) {
        lock.lock();
        try {
            if (moments.size() < MOST) {
                moments.add(
                        Math.min(at, moments.size()),
                        new Moment(clock.instant(), instance, kind, verb, resource, object, result));
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs a part of an effect. If it meets there what it waits for, a mark stands before what followed from it.
     *
     * @param story words for the disturbance
     */
    <T> T disturbing(Effect effect, String story, Supplier<T> part) {
        int from = size();
        try {
            return part.get();
        } finally {
            if (effect != Effect.NONE && hasMetMore(effect.met())) {
                insert(from, OTHER, Moment.Kind.DISTURBED, "", "", story, 0);
            }
        }
    }

    private int size() {
        lock.lock();
        try {
            return moments.size();
        } finally {
            lock.unlock();
        }
    }

    private boolean hasMetMore(int now) {
        lock.lock();
        try {
            boolean isMore = now > met;
            met = Math.max(now, met);
            return isMore;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the moments so far. */
    List<Moment> moments() {
        lock.lock();
        try {
            return List.copyOf(moments);
        } finally {
            lock.unlock();
        }
    }
}
