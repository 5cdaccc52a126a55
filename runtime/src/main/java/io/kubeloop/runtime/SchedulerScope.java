/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Makes a scheduler the answer of {@link Scheduler#system()} for one thread and the threads that it starts, until the
 * scope is closed. A test kit opens a scope, so that queues and workers that code under test makes in the ordinary way
 * follow the time of the test.
 *
 * <p>Thread-safe. Scopes nest: the one that was opened last applies.
 */
public final class SchedulerScope implements AutoCloseable {

    /*
     * The scheduler is cleared when the scope is closed, so threads that have inherited a scope keep no clock of a
     * test.
     */

    private static final InheritableThreadLocal<@Nullable SchedulerScope> CURRENT = new InheritableThreadLocal<>();

    private final @Nullable SchedulerScope outer;
    private volatile @Nullable Scheduler scheduler;

    private SchedulerScope(Scheduler scheduler, @Nullable SchedulerScope outer) {
        this.scheduler = scheduler;
        this.outer = outer;
    }

    /** Opens a scope for the calling thread and the threads that it starts from now on. */
    public static SchedulerScope open(Scheduler scheduler) {
        SchedulerScope scope = new SchedulerScope(scheduler, CURRENT.get());
        CURRENT.set(scope);
        return scope;
    }

    /** Returns the scheduler of the innermost open scope; null without one. */
    static @Nullable Scheduler current() {
        for (SchedulerScope scope = CURRENT.get(); scope != null; scope = scope.outer) {
            Scheduler applies = scope.scheduler;
            if (applies != null) {
                return applies;
            }
        }
        return null;
    }

    /** Ends the scope for all threads. A second call has no effect. */
    @Override
    public void close() {
        scheduler = null;
        if (CURRENT.get() == this) {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }
}
