/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.fake;

import io.kubeloop.controller.ControllerMetric;
import io.kubeloop.controller.ControllerMetrics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps the sums of counters, and the last values of gauges and histograms. Thread-safe. */
public final class FakeMetrics implements ControllerMetrics {

    private final Map<String, Double> values = new ConcurrentHashMap<>();

    @Override
    public void record(ControllerMetric metric, double value, String... labels) {
        String name = metric.name() + List.of(labels);
        if (metric.type() == ControllerMetric.Type.COUNTER) {
            values.merge(name, value, Double::sum);
        } else {
            values.put(name, value);
        }
    }

    @Override
    public void forget(ControllerMetric metric, String... labels) {
        values.remove(metric.name() + List.of(labels));
    }

    /** Returns the values by names such as {@code syncs[success]}, with the values of the labels in their order. */
    public Map<String, Double> values() {
        return Map.copyOf(values);
    }
}
