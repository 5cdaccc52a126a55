/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.events.EventBroadcaster;
import io.kubeloop.controller.events.EventSink;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs informers, event broadcasters and controllers from the start to the end of a term (upstream: {@code
 * StartControllers} in {@code cmd/kube-controller-manager/app}).
 *
 * <p>Start: each initializer creates its controller, which registers its handlers. Then the informers start together,
 * so each resource is listed once. The workers of a controller wait for the caches that it reads; a resource that
 * cannot be read delays only the controllers that read it.
 *
 * <p>With a start interval, each controller starts after the interval and a random part of it, on a thread of its own.
 *
 * <p>Stop: the controllers accept no more work and finish their current syncs in parallel. Then the informers stop.
 */
final class ControllerRun implements AutoCloseable {

    /*
     * Invariants: no controller starts after `starter` has ended; `close` and `abandon` end it first. Threads: the one
     * that runs the term, or `starter`, starts controllers; the one that runs the term stops them; `informers` and
     * `names` may be read by any thread. No lock: concurrent collections.
     */

    private static final Logger log = LoggerFactory.getLogger(ControllerRun.class);

    /** The accounts of components whose events have another name than the account. */
    private static final Map<String, String> ACCOUNTS = Map.ofEntries(
            Map.entry("cidrAllocator", "node-controller"),
            Map.entry("taint-eviction-controller", "node-controller"),
            Map.entry("ephemeral_volume", "ephemeral-volume-controller"),
            Map.entry("resource_claim", "resource-claim-controller"),
            Map.entry("volume_expand", "expand-controller"),
            Map.entry("selinux_warning", "selinux-warning-controller"),
            Map.entry("persistentvolume-controller", "persistent-volume-binder"),
            Map.entry("controllermanager", "disruption-controller"),
            Map.entry("daemonset-controller", "daemon-set-controller"),
            Map.entry("endpoint-slice-controller", "endpointslice-controller"),
            Map.entry("endpoint-slice-mirroring-controller", "endpointslicemirroring-controller"),
            Map.entry("garbage-collector-controller", "generic-garbage-collector"));

    /** The controllers that follow each resource of the server, and share the informers of all others. */
    private static final Set<String> OF_ALL_RESOURCES =
            Set.of("garbage-collector-controller", "resourcequota-controller");

    private final SharedInformerFactory informers;
    private final Map<String, EventBroadcaster> broadcasters = new ConcurrentHashMap<>();
    private final List<Controller> controllers = new CopyOnWriteArrayList<>();
    private final List<String> names = new CopyOnWriteArrayList<>();
    private final ControllerManager.Settings settings;
    private final ControllerContext context;

    /** The controllers whose pause has passed; empty for no more. */
    private final BlockingQueue<Optional<ControllerDescriptor>> due = new LinkedBlockingQueue<>();

    /** The controllers that did not stop in time. Confined to the thread that runs the term. */
    private final List<String> late = new ArrayList<>();

    private @Nullable Thread starter;

    /**
     * Creates a run that has not started.
     *
     * @param clients returns the client of a component
     */
    ControllerRun(Function<String, KubeClient> clients, ControllerManager.Settings settings) {
        Clock clock = settings.time().wall();
        this.settings = settings;
        informers = SharedInformers.factory(settings.informerClient(), settings.informers());
        context = new ControllerContext(
                clients,
                informers,
                clock,
                settings.threads(),
                settings.queues(),
                component -> broadcasters
                        .computeIfAbsent(component, name -> broadcaster(clients, name, settings, clock))
                        .recorder(component),
                settings.metrics());
    }

    /**
     * Starts the controllers. Blocks for a request of each controller whose resource older servers do not have; the
     * caches fill in the background. Without a start interval, the
     * controllers have started when this method returns.
     *
     * @param whenStarted runs when all controllers have started
     * @throws RuntimeException the exception of an initializer; no controller is left running then
     */
    void start(List<ControllerDescriptor> enabled, Runnable whenStarted) {
        if (!settings.pace().hasPauses()) {
            try {
                enabled.stream()
                        .sorted(Comparator.comparing(controller -> OF_ALL_RESOURCES.contains(controller.name())))
                        .forEach(this::start);
                informers.start();
            } catch (RuntimeException | Error e) {
                close();
                throw e;
            }
            whenStarted.run();
            return;
        }
        for (ControllerDescriptor descriptor : enabled) {
            Duration pause = settings.pace().pause(settings.time().random().getAsDouble());
            settings.time().monotonic().schedule(pause, () -> due.add(Optional.of(descriptor)));
        }
        // A thread of the informers: its failure ends the manager.
        starter = settings.informers().threads().newThread(() -> startAsDue(enabled.size(), whenStarted));
        starter.setName("kubeloop-controller-start");
        starter.start();
    }

    private void startAsDue(int count, Runnable whenStarted) {
        try {
            for (int i = 0; i < count; i++) {
                Optional<ControllerDescriptor> next = due.take();
                if (next.isEmpty()) {
                    return;
                }
                start(next.get());
                informers.start();
            }
            whenStarted.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void start(ControllerDescriptor descriptor) {
        if (!descriptor.skipped().isEmpty()) {
            log.info("Skipped controller {}: {}", descriptor.name(), descriptor.skipped());
            return;
        }
        Controller controller = descriptor.initializer().start(context, settings.options());
        if (controller == null) {
            log.info(
                    "Controller {} is disabled by its options or absent, or the server lacks its resource",
                    descriptor.name());
            return;
        }
        controllers.add(controller);
        names.add(descriptor.name());
        log.info("Started controller {}", descriptor.name());
    }

    /** Ends the starts. Blocks while a controller starts. */
    private void startNoMore() {
        Thread running = starter;
        if (running == null || running == Thread.currentThread()) {
            return;
        }
        due.clear();
        due.add(Optional.empty());
        boolean isInterrupted = false;
        while (running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                isInterrupted = true; // an initializer blocks for a request at most
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
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
     * Fails if controllers did not stop in time.
     *
     * @throws ControllerException names them
     */
    void checkStopped() {
        if (!late.isEmpty()) {
            throw new ControllerException(
                    "controller shutdown timeout reached: " + String.join(", ", late) + " still running after "
                            + settings.pace().longestStop().toSeconds() + " s",
                    null);
        }
    }

    /** Returns the informers. Thread-safe. */
    SharedInformerFactory informers() {
        return informers;
    }

    /** Returns the names of the controllers that were started so far. Thread-safe. */
    List<String> names() {
        return List.copyOf(names);
    }

    /**
     * Stops controllers and informers without waiting for current syncs, which may wait for a server that does not
     * answer.
     */
    void abandon() {
        startNoMore();
        controllers.forEach(Controller::shutDown);
        informers.close();
    }

    /**
     * Stops controllers, informers and broadcasters, in this order. Blocks for at most the stop timeout on current
     * syncs, and then until informers and broadcasters have stopped.
     */
    @Override
    public void close() {
        startNoMore();
        controllers.forEach(Controller::shutDown);
        Duration longest = settings.pace().longestStop();
        long begin = System.nanoTime();
        for (Controller controller : controllers) {
            long left = longest.toNanos() - (System.nanoTime() - begin);
            if (!controller.awaitTermination(Duration.ofNanos(Math.max(0, left)))) {
                late.add(controller.name());
                log.warn(
                        "Controller {} did not finish its current syncs within {} s of the shutdown; stopping the "
                                + "informers anyway",
                        controller.name(),
                        longest.toSeconds());
            }
        }
        informers.close();
        EventBroadcaster.closeAll(broadcasters.values());
    }
}
