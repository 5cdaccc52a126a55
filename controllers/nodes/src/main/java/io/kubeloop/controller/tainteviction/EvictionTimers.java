/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.tainteviction;

import io.kubeloop.api.ObjectName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The evictions that wait for their time, at most one per pod (upstream: {@code TimedWorkerQueue}). Thread-safe; does
 * not block.
 */
final class EvictionTimers {

    /**
     * An eviction that waits.
     *
     * @param uid the pod that is to go; a pod that replaces it stays
     * @param due when it goes
     */
    private record Waiting(String uid, Instant due) {}

    private final Map<ObjectName, Waiting> waiting = new ConcurrentHashMap<>();
    private final Clock clock;
    private final BiConsumer<ObjectName, Duration> alarm;

    /**
     * Creates an empty set.
     *
     * @param clock measures the time that pods have left
     * @param alarm calls back with the pod after the duration, at the earliest
     */
    EvictionTimers(Clock clock, BiConsumer<ObjectName, Duration> alarm) {
        this.clock = clock;
        this.alarm = alarm;
    }

    /** Starts a timer for a pod, unless one runs. */
    void start(ObjectName pod, String uid, Duration wait) {
        Waiting started = new Waiting(uid, clock.instant().plus(wait));
        Waiting now = waiting.compute(
                pod, (key, running) -> running != null && running.uid().equals(uid) ? running : started);
        if (now == started) {
            alarm.accept(pod, wait);
        }
    }

    /** Stops the timer of a pod. Returns whether one ran. */
    boolean cancel(ObjectName pod) {
        return waiting.remove(pod) != null;
    }

    /**
     * Ends the timer of a pod whose time has come, and returns the pod's UID; null if none ran, or if there is time
     * left.
     */
    @Nullable
    String takeDue(ObjectName pod) {
        Waiting timer = waiting.get(pod);
        if (timer == null || timer.due().isAfter(clock.instant()) || !waiting.remove(pod, timer)) {
            return null;
        }
        return timer.uid();
    }
}
