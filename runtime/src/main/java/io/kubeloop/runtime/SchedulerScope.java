/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.runtime;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes a scheduler the answer of {@link Scheduler#system()} for one thread and the threads that it starts, until the
 * scope is closed. A test kit opens a scope, so queues and workers that code under test makes in the ordinary way
 * follow the time of the test.
 *
 * <p>Thread-safe. Scopes nest: the one that was opened last applies.
 */
public final class SchedulerScope implements AutoCloseable {

    /*
     * The scheduler is cleared when the scope is closed, so threads that have inherited a scope keep no clock of a
     * test, except that of a component which the test has left running. The next scope of the thread takes over these.
     */

    private static final InheritableThreadLocal<@Nullable SchedulerScope> CURRENT = new InheritableThreadLocal<>();

    /** A component that runs, and its time. */
    private record Component(String name, Scheduler scheduler, BooleanSupplier runs) {}

    private final @Nullable SchedulerScope outer;
    private final Queue<Component> components = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Scheduler scheduler;

    private SchedulerScope(Scheduler scheduler, @Nullable SchedulerScope outer) {
        this.scheduler = scheduler;
        this.outer = outer;
    }

    /** Opens a scope for the calling thread and the threads that it starts from now on. */
    public static SchedulerScope open(Scheduler scheduler) {
        SchedulerScope scope = new SchedulerScope(scheduler, innermost());
        SchedulerScope last = CURRENT.get();
        if (last != null) {
            scope.components.addAll(last.components);
        }
        CURRENT.set(scope);
        return scope;
    }

    /** Returns the scheduler of the innermost open scope; null without one. */
    static @Nullable Scheduler current() {
        SchedulerScope scope = innermost();
        return scope == null ? null : scope.scheduler;
    }

    private static @Nullable SchedulerScope innermost() {
        SchedulerScope scope = CURRENT.get();
        while (scope != null && scope.scheduler == null) {
            scope = scope.outer;
        }
        return scope;
    }

    /**
     * Notes a component that begins to run on the calling thread. Outside a scope there is no effect.
     *
     * @param component the component and its name, as in {@link Scheduler#counter}
     * @param scheduler the time of the component
     * @param runs returns whether the component still runs
     */
    public static void note(String component, Scheduler scheduler, BooleanSupplier runs) {
        SchedulerScope scope = innermost();
        if (scope != null) {
            scope.components.add(new Component(component, scheduler, runs));
        }
    }

    /**
     * Returns the components of {@link #note} that still run and whose own scheduler does not count their work: a test
     * kit must not take them for idle. They were noted in this scope, or in an earlier one of the thread that opened
     * it.
     */
    public List<String> uncounted() {
        components.removeIf(noted -> !noted.runs().getAsBoolean());
        return components.stream()
                .filter(noted -> noted.scheduler().counter(noted.name()) == null)
                .map(Component::name)
                .distinct()
                .toList();
    }

    /** Ends the scope for all threads. A second call has no effect. */
    @Override
    public void close() {
        scheduler = null;
        components.removeIf(noted -> !noted.runs().getAsBoolean());
        if (CURRENT.get() == this) {
            if (outer != null) {
                outer.components.addAll(components);
                CURRENT.set(outer);
            } else if (components.isEmpty()) {
                CURRENT.remove();
            }
        }
    }
}
