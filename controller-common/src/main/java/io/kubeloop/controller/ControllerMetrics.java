/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.controller.expectations.ControllerExpectations;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Receives the metrics of controllers.
 *
 * <p>Implementations must be thread-safe and must not block.
 */
@FunctionalInterface
public interface ControllerMetrics {

    /** Ignores everything. */
    ControllerMetrics NONE = (metric, value, labels) -> {};

    /**
     * Records a value.
     *
     * @param value the amount to add to a counter, the new value of a gauge, or an observation of a histogram
     * @param labels the values of the metric's labels, in their order
     */
    void record(ControllerMetric metric, double value, String... labels);

    /**
     * Drops the series of an object that is gone. Ignores it by default.
     *
     * @param metric a gauge
     * @param labels the values with which it was recorded; nothing happens if it was not
     */
    default void forget(ControllerMetric metric, String... labels) {}

    /**
     * Shows a metric without values from now on, because a rate starts at the second value. Ignores it by default.
     *
     * @param metric a metric without labels
     */
    default void present(ControllerMetric metric) {}

    /**
     * Receives the expectations of a new controller, which the implementation may read. Ignores them by default.
     *
     * @param controller the controller's name, such as {@code replicaset}
     */
    default void expectations(String controller, ControllerExpectations expectations) {}

    /** Records a duration in seconds. */
    default void record(ControllerMetric metric, Duration duration, String... labels) {
        record(metric, duration.toNanos() / 1e9, labels);
    }

    /**
     * Runs a sync, counts it by the code of its result, and records how long it took. Both metrics have the label code:
     * 200, the code of the server's refusal, or 500 for every other failure. Blocks as long as the sync.
     *
     * @param count counts the syncs
     * @param seconds the metric of the durations of syncs
     * @throws RuntimeException whatever the sync throws
     */
    default void measure(ControllerMetric count, ControllerMetric seconds, Clock clock, Runnable sync) {
        Instant start = clock.instant();
        int code = 500;
        try {
            sync.run();
            code = 200;
        } catch (ApiException e) {
            code = e.code() == 0 ? code : e.code();
            throw e;
        } finally {
            record(count, 1, String.valueOf(code));
            record(seconds, Duration.between(start, clock.instant()), String.valueOf(code));
        }
    }

    /**
     * Counts a sync that is put off because a cache does not show all writes of the controller (upstream: {@code
     * stale_sync_skips_total} of KEP-5647).
     *
     * @param controller the controller's name, such as {@code daemonset}
     * @param resource the resource whose cache is behind
     */
    default void staleSync(String controller, ResourceType<?> resource) {
        ControllerMetric metric = ControllerMetric.counter(
                controller + "_controller_stale_sync_skips_total",
                "Syncs that were put off because the watch cache was stale",
                "group",
                "resource");
        record(metric, 1, resource.group(), resource.plural());
    }
}
