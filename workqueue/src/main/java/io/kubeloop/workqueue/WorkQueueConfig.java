package io.kubeloop.workqueue;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a queue is made. Immutable.
 *
 * @param name names the queue in metrics and thread names; "" if it has none, which means no metrics
 * @param metrics makes the metrics; null for none
 * @param clock the time of the queue, its delays and its metrics; default: the machine's, with daemon threads
 */
public record WorkQueueConfig(String name, @Nullable QueueMetricsProvider metrics, AlarmClock clock) {

    /** Checks that there is a name and a clock. */
    public WorkQueueConfig {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(clock, "clock");
    }

    /** Returns the defaults for a queue of this name. */
    public static WorkQueueConfig named(String name) {
        return new WorkQueueConfig(name, null, AlarmClock.system());
    }

    /** Returns a copy with metrics. */
    public WorkQueueConfig withMetrics(QueueMetricsProvider provider) {
        return new WorkQueueConfig(name, provider, clock);
    }

    /** Returns a copy with another clock. */
    public WorkQueueConfig withClock(AlarmClock other) {
        return new WorkQueueConfig(name, metrics, other);
    }
}
