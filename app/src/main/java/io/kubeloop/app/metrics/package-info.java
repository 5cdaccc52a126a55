/**
 * The metrics of queues, informers and requests in the text format of Prometheus, under the names of client-go.
 *
 * <p>Entry type: {@link io.kubeloop.app.metrics.PrometheusQueueMetrics}. Threading: all types are thread-safe.
 */
@NullMarked
package io.kubeloop.app.metrics;

import org.jspecify.annotations.NullMarked;
