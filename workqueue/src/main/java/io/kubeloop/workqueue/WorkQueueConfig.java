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
 */
public record WorkQueueConfig(String name, @Nullable QueueMetricsProvider metrics, Scheduler scheduler) {

    /** Checks that name and scheduler are not null. */
    public WorkQueueConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(scheduler, "scheduler");
    }

    /** Returns the default settings for a queue of this name. */
    public static WorkQueueConfig named(String name) {
        return new WorkQueueConfig(name, null, Scheduler.system());
    }

    /** Returns a copy with the given metrics. */
    public WorkQueueConfig withMetrics(QueueMetricsProvider provider) {
        return new WorkQueueConfig(name, provider, scheduler);
    }

    /** Returns a copy with the given scheduler, which the caller closes. */
    public WorkQueueConfig withScheduler(Scheduler other) {
        return new WorkQueueConfig(name, metrics, other);
    }
}
