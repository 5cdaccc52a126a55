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
 * Everything a manager gives a controller (upstream: {@code app.ControllerContext}).
 *
 * @param clients makes the client of a controller from its name, such as {@code replicaset-controller}: the manager may
 *     give each its own credentials
 * @param informers hands out the caches, shared with every other controller
 * @param clock tells the time of day, for what is written into objects or compared with them; how old something is, controllers
 *     measure with their queue's clock ({@link ControllerTime#steady})
 * @param threads makes threads; their users name them
 * @param queues makes the configuration of a work queue from its name, such as {@code replicaset}: clock and metrics
 * @param recorders makes the event recorder of a component from its name, such as {@code replicaset-controller}
 */
public record ControllerContext(
        Function<String, KubeClient> clients,
        SharedInformerFactory informers,
        Clock clock,
        ThreadFactory threads,
        Function<String, WorkQueueConfig> queues,
        Function<String, EventRecorder> recorders) {

    /** Checks that nothing is null. */
    public ControllerContext {
        Objects.requireNonNull(clients, "clients");
        Objects.requireNonNull(informers, "informers");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(threads, "threads");
        Objects.requireNonNull(queues, "queues");
        Objects.requireNonNull(recorders, "recorders");
    }
}
