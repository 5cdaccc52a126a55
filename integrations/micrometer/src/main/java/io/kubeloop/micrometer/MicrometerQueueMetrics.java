/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.micrometer;

import io.kubeloop.workqueue.QueueGauges;
import io.kubeloop.workqueue.QueueMetrics;
import io.kubeloop.workqueue.QueueMetricsProvider;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/**
 * Registers the metrics of work queues, with the tag {@code name} (upstream: {@code
 * component-base/metrics/prometheus/workqueue}). Thread-safe.
 */
public final class MicrometerQueueMetrics implements QueueMetricsProvider {

    private static final double[] SECONDS = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10};

    private final MeterRegistry registry;

    /** Registers meters with the registry, one set for each queue; a queue that is shut down removes its own. */
    public MicrometerQueueMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public QueueMetrics register(String name, QueueGauges gauges) {
        return new Series(Meters.ofOwner(registry, name), gauges);
    }

    /** The meters of one queue. */
    private static final class Series implements QueueMetrics {

        private final Meters meters;
        private final Counter adds;
        private final Counter retries;
        private final Timer waited;
        private final Timer worked;

        Series(Meters meters, QueueGauges gauges) {
            this.meters = meters;
            adds = meters.counter("workqueue.adds", "Items added that were not queued already");
            retries = meters.counter("workqueue.retries", "Items added with a delay, such as retries");
            waited = meters.timer(
                    "workqueue.queue.duration", "Time from the addition of an item until a worker takes it", SECONDS);
            worked = meters.timer(
                    "workqueue.work.duration", "Time from the moment a worker takes an item until it is done", SECONDS);
            meters.gauge("workqueue.depth", "Queued items", "", gauges, QueueGauges::depth);
            meters.gauge(
                    "workqueue.unfinished.work",
                    "Time of unfinished processing, the sum of all items in processing",
                    "seconds",
                    gauges,
                    queue -> seconds(queue.unfinishedWork()));
            meters.gauge(
                    "workqueue.longest.running.processor",
                    "Time of processing of the oldest item in processing",
                    "seconds",
                    gauges,
                    queue -> seconds(queue.longestRunning()));
        }

        private static double seconds(Duration duration) {
            return duration.toNanos() / 1e9;
        }

        @Override
        public void added() {
            adds.increment();
        }

        @Override
        public void taken(Duration time) {
            waited.record(time);
        }

        @Override
        public void processed(Duration time) {
            worked.record(time);
        }

        @Override
        public void retried(Duration delay) {
            retries.increment();
        }

        @Override
        public void close() {
            meters.close();
        }
    }
}
