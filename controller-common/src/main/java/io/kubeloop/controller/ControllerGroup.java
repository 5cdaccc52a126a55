/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.controller.parallel.ParallelExecutor;
import io.kubeloop.runtime.Durations;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The life cycle of a controller with several loops, or with an executor: starts and stops its parts in the order in
 * which they were added.
 *
 * <pre>{@code
 * ControllerGroup.named("job").with(jobs).with(orphans, 1).with(executor)
 * }</pre>
 *
 * <p>Immutable, and thread-safe as its parts are. {@link #awaitTermination} and {@link #close} block; all parts share
 * one timeout.
 */
public final class ControllerGroup implements Controller {

    /** One part; the last function waits for its end, and returns false if the part did not end in time. */
    private record Part(IntConsumer start, Runnable shutDown, Predicate<Duration> awaitTermination) {}

    private final String name;
    private final List<Part> parts;

    private ControllerGroup(String name, List<Part> parts) {
        this.name = name;
        this.parts = parts;
    }

    /** Returns a group without parts; {@code name} is the controller's name. */
    public static ControllerGroup named(String name) {
        return new ControllerGroup(name, List.of());
    }

    /** Returns this group and the loop, which starts with the number of workers that {@link #start} receives. */
    public ControllerGroup with(Controller loop) {
        return with(new Part(loop::start, loop::shutDown, loop::awaitTermination));
    }

    /** Returns this group and the loop, which starts with its own number of workers. */
    public ControllerGroup with(Controller loop, int workers) {
        return with(new Part(ignored -> loop.start(workers), loop::shutDown, loop::awaitTermination));
    }

    /**
     * Returns this group and the executor. Add it after the loops that use it: {@link #awaitTermination} closes it
     * after them, because the workers finish their items after {@link #shutDown}.
     */
    public ControllerGroup with(ParallelExecutor executor) {
        return with(new Part(ignored -> {}, () -> {}, executor::close));
    }

    /** Returns this group with an action that {@link #shutDown} runs. It must not block, and must be safe to repeat. */
    public ControllerGroup onShutDown(Runnable action) {
        return with(new Part(ignored -> {}, action, timeout -> true));
    }

    private ControllerGroup with(Part part) {
        return new ControllerGroup(
                name, Stream.concat(parts.stream(), Stream.of(part)).toList());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void start(int workers) {
        parts.forEach(part -> part.start().accept(workers));
    }

    @Override
    public void shutDown() {
        parts.forEach(part -> part.shutDown().run());
    }

    @Override
    public boolean awaitTermination(Duration timeout) {
        long deadline = System.nanoTime() + Durations.nanos(timeout);
        boolean ended = true;
        for (Part part : parts) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            ended &= part.awaitTermination().test(left);
        }
        return ended;
    }
}
