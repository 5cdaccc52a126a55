/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Metrics of queues, informers, requests, controllers and elections as meters of Micrometer. Their names are
 * client-go's with dots, so Micrometer's Prometheus registry exports client-go's names.
 *
 * <p>Entry types: {@link io.kubeloop.micrometer.MicrometerQueueMetrics}, {@link
 * io.kubeloop.micrometer.MicrometerInformerMetrics}, {@link io.kubeloop.micrometer.MicrometerRequestMetrics}, {@link
 * io.kubeloop.micrometer.MicrometerControllerMetrics}. Each takes the application's {@code MeterRegistry}. Threading:
 * all types are thread-safe.
 */
@NullMarked
package io.kubeloop.micrometer;

import org.jspecify.annotations.NullMarked;
