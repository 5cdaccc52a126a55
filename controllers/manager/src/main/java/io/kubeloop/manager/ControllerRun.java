/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.events.EventBroadcaster;
import io.kubeloop.controller.events.EventSink;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs informers, event broadcasters and controllers from the start to the end of a term (upstream: {@code
 * StartControllers} in {@code cmd/kube-controller-manager/app}).
 *
 * <p>Start: each initializer creates its controller, which registers its handlers. Then the informers start together,
 * so that each resource is listed once. The workers of a controller wait for the caches that it reads; a resource that
 * cannot be read delays only the controllers that read it.
 *
 * <p>Stop: the controllers accept no more work and finish their current syncs in parallel. Then the informers stop.
 *
 * <p>Confined to the thread that runs the term, except {@link #informers} and {@link #names}.
 */
final class ControllerRun implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ControllerRun.class);

    /** The accounts of components whose events have another name than the account. */
    private static final Map<String, String> ACCOUNTS = Map.ofEntries(
            Map.entry("cidrAllocator", "node-controller"),
            Map.entry("taint-eviction-controller", "node-controller"),
            Map.entry("ephemeral_volume", "ephemeral-volume-controller"),
            Map.entry("resource_claim", "resource-claim-controller"),
            Map.entry("volume_expand", "expand-controller"),
            Map.entry("persistentvolume-controller", "persistent-volume-binder"),
            Map.entry("controllermanager", "disruption-controller"),
            Map.entry("daemonset-controller", "daemon-set-controller"),
            Map.entry("endpoint-slice-controller", "endpointslice-controller"),
            Map.entry("endpoint-slice-mirroring-controller", "endpointslicemirroring-controller"),
            Map.entry("garbage-collector-controller", "generic-garbage-collector"));

    private final SharedInformerFactory informers;
    private final Map<String, EventBroadcaster> broadcasters = new ConcurrentHashMap<>();
    private final List<Controller> controllers = new ArrayList<>();
    private final List<String> names;
    private final Duration stopTimeout;

    private ControllerRun(
            Function<String, KubeClient> clients,
            List<ControllerDescriptor> enabled,
            ControllerManager.Settings settings) {
        Clock clock = settings.time().wall();
        stopTimeout = settings.stopTimeout();
        informers = SharedInformers.factory(settings.informerClient(), settings.informers());
        ControllerContext context = new ControllerContext(
                clients,
                informers,
                clock,
                settings.threads(),
                settings.queues(),
                component -> broadcasters
                        .computeIfAbsent(component, name -> broadcaster(clients, name, settings, clock))
                        .recorder(component),
                settings.metrics());
        List<String> started = new ArrayList<>();
        try {
            for (ControllerDescriptor descriptor : enabled) {
                if (!descriptor.skipped().isEmpty()) {
                    log.info("Skipped controller {}: {}", descriptor.name(), descriptor.skipped());
                    continue;
                }
                Controller controller = descriptor.initializer().start(context, settings.options());
                if (controller == null) {
                    log.info("Controller {} is disabled by its options", descriptor.name());
                    continue;
                }
                controllers.add(controller);
                started.add(descriptor.name());
                log.info("Started controller {}", descriptor.name());
            }
            names = List.copyOf(started);
            informers.start();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Each component writes its events with its own client, whose account has the permission. */
    private static EventBroadcaster broadcaster(
            Function<String, KubeClient> clients, String component, ControllerManager.Settings settings, Clock clock) {
        return new EventBroadcaster(
                EventSink.of(clients.apply(ACCOUNTS.getOrDefault(component, component))),
                settings.events(),
                clock,
                settings.time().monotonic(),
                settings.threads());
    }

    /**
     * Starts a term. Does not block: the caches fill in the background. If an initializer fails, no controller is left
     * running.
     *
     * @param clients returns the client of a component
     */
    static ControllerRun start(
            Function<String, KubeClient> clients,
            List<ControllerDescriptor> enabled,
            ControllerManager.Settings settings) {
        return new ControllerRun(clients, enabled, settings);
    }

    /** Returns the informers. Thread-safe. */
    SharedInformerFactory informers() {
        return informers;
    }

    /** Returns the names of the controllers that were started. Thread-safe. */
    List<String> names() {
        return names;
    }

    /**
     * Stops controllers and informers without waiting for current syncs, which may wait for a server that does not
     * answer.
     */
    void abandon() {
        controllers.forEach(Controller::shutDown);
        informers.close();
    }

    /**
     * Stops controllers, informers and broadcasters, in this order. Blocks for at most the stop timeout on current
     * syncs, and then until informers and broadcasters have stopped.
     */
    @Override
    public void close() {
        controllers.forEach(Controller::shutDown);
        long deadline = System.nanoTime() + stopTimeout.toNanos();
        for (Controller controller : controllers) {
            Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            if (!controller.awaitTermination(left)) {
                log.warn(
                        "Controller {} did not finish its current syncs within {} s of the shutdown; stopping the informers anyway",
                        controller.name(),
                        stopTimeout.toSeconds());
            }
        }
        informers.close();
        EventBroadcaster.closeAll(broadcasters.values());
    }
}
