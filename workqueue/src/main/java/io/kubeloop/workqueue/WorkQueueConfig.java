/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import io.kubeloop.runtime.Scheduler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a queue. Immutable.
 *
 * @param name the name of the queue in metrics and thread names; a queue with the name "" has no metrics
 * @param metrics creates the metrics; null means none
 * @param scheduler the time of delays and metrics; default: the scheduler of the process
 * @param failures receives what the handler of a {@link Worker} throws, before the worker's own listener; null means
 *     none
 */
public record WorkQueueConfig(
        String name,
        @Nullable QueueMetricsProvider metrics,
        Scheduler scheduler,
        @Nullable SyncFailureListener<Object> failures) {

    /** Checks that name and scheduler are not null. */
    public WorkQueueConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(scheduler, "scheduler");
    }

    /** Returns the default settings for a queue of this name. */
    public static WorkQueueConfig named(String name) {
        return new WorkQueueConfig(name, null, Scheduler.system(), null);
    }

    /** Returns a copy with the given metrics. */
    public WorkQueueConfig withMetrics(QueueMetricsProvider provider) {
        return new WorkQueueConfig(name, provider, scheduler, failures);
    }

    /** Returns a copy with the given scheduler, which the caller closes. */
    public WorkQueueConfig withScheduler(Scheduler other) {
        return new WorkQueueConfig(name, metrics, other, failures);
    }

    /** Returns a copy with the given listener, which all workers of the queue call. It must be thread-safe. */
    public WorkQueueConfig withFailures(SyncFailureListener<Object> listener) {
        return new WorkQueueConfig(name, metrics, scheduler, listener);
    }
}
