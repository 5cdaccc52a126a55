/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The values of a metric, by the names of pods (upstream: {@code PodMetricsInfo}). A computation of replicas removes
 * and adds values. For one thread.
 *
 * @param values the values
 */
record PodMetrics(Map<String, Value> values) {

    /**
     * The value of a pod.
     *
     * @param timestamp the end of the time that the value covers
     * @param window the length of this time
     * @param milli the value in thousandths
     */
    record Value(Instant timestamp, Duration window, long milli) {

        /** Returns a value that was not measured. */
        static Value assumed(long milli) {
            return new Value(Instant.EPOCH, Duration.ZERO, milli);
        }
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    void assume(String pod, long milli) {
        values.put(pod, Value.assumed(milli));
    }
}
