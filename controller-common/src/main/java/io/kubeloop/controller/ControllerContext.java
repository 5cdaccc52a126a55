/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

/**
 * The parts that a manager passes to each controller (upstream: {@code app.ControllerContext}).
 *
 * @param clients returns the client of a component, such as {@code replicaset-controller}; each may have credentials
 * of its own
 * @param informers the informers, shared by all controllers
 * @param clock the time of day, for timestamps in objects; ages are measured by the queue's clock ({@link
 * ControllerTime#steady})
 * @param threads makes threads; the controllers name them
 * @param queues returns the settings of a work queue by its name, such as {@code replicaset}: clock and metrics
 * @param recorders returns the event recorder of a component, such as {@code replicaset-controller}
 * @param metrics receives the controllers' metrics
 */
public record ControllerContext(
        Function<String, KubeClient> clients,
        SharedInformerFactory informers,
        Clock clock,
        ThreadFactory threads,
        Function<String, WorkQueueConfig> queues,
        Function<String, EventRecorder> recorders,
        ControllerMetrics metrics) {

    /** Creates a context whose controllers report no metrics. */
    public ControllerContext(
            Function<String, KubeClient> clients,
            SharedInformerFactory informers,
            Clock clock,
            ThreadFactory threads,
            Function<String, WorkQueueConfig> queues,
            Function<String, EventRecorder> recorders) {
        this(clients, informers, clock, threads, queues, recorders, ControllerMetrics.NONE);
    }

    /** Checks that nothing is null. */
    public ControllerContext {
        Objects.requireNonNull(clients, "clients");
        Objects.requireNonNull(informers, "informers");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(threads, "threads");
        Objects.requireNonNull(queues, "queues");
        Objects.requireNonNull(recorders, "recorders");
        Objects.requireNonNull(metrics, "metrics");
    }
}
