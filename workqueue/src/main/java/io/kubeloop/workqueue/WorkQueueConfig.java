package io.kubeloop.workqueue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a queue. Immutable.
 *
 * @param name the name of the queue in metrics and thread names; a queue with the name "" has no metrics
 * @param metrics creates the metrics; null means none
 * @param clock the clock for delays and metrics; default: the system clock with daemon threads
 */
public record WorkQueueConfig(String name, @Nullable QueueMetricsProvider metrics, AlarmClock clock) {

    /** Checks that name and clock are not null. */
    public WorkQueueConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(clock, "clock");
    }

    /** Returns the default settings for a queue of this name. */
    public static WorkQueueConfig named(String name) {
        return new WorkQueueConfig(name, null, AlarmClock.system());
    }

    /** Returns a copy with the given metrics. */
    public WorkQueueConfig withMetrics(QueueMetricsProvider provider) {
        return new WorkQueueConfig(name, provider, clock);
    }

    /** Returns a copy with the given clock. */
    public WorkQueueConfig withClock(AlarmClock other) {
        return new WorkQueueConfig(name, metrics, other);
    }
}
