package io.kubeloop.app.manager;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.app.cli.DaemonThreads;
import io.kubeloop.app.clients.ClientBuilder;
import io.kubeloop.app.metrics.PrometheusQueueMetrics;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.InformerMetricsProvider;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.events.EventBroadcaster;
import io.kubeloop.controller.events.EventSink;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.workqueue.WorkQueueConfig;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;

/**
 * One term of a manager: informers, event broadcasters and controllers, from start to stop. A process has one term,
 * since it ends when it has lost its lease. Confined to the thread that runs the manager, but for {@link #informers}.
 */
public final class ManagerRun implements AutoCloseable {

    private final SharedInformerFactory informers;
    private final Map<String, EventBroadcaster> broadcasters = new ConcurrentHashMap<>();
    private final ControllerManager manager;

    /**
     * What a run is made of.
     *
     * @param clients makes the clients of controllers; not closed by the run
     * @param informerClient what informers list and watch with; not closed by the run
     * @param resyncPeriod how often everything is looked at again
     * @param options of single controllers
     * @param enabled which controllers
     * @param queueMetrics where work queues are counted
     * @param informerMetrics where informers are measured
     */
    record Parts(
            ClientBuilder clients,
            KubeClient informerClient,
            Duration resyncPeriod,
            ControllerOptions options,
            List<ControllerDescriptor> enabled,
            PrometheusQueueMetrics queueMetrics,
            InformerMetricsProvider informerMetrics) {}

    private ManagerRun(Parts parts) {
        Clock clock = Clock.systemUTC();
        ThreadFactory threads = DaemonThreads.factory();
        informers = SharedInformers.factory(
                parts.informerClient(),
                InformerConfig.DEFAULT.withResyncPeriod(parts.resyncPeriod()).withMetrics(parts.informerMetrics()));
        ControllerContext context = new ControllerContext(
                parts.clients()::client,
                informers,
                clock,
                threads,
                name -> WorkQueueConfig.named(name).withMetrics(parts.queueMetrics()),
                component -> broadcasters
                        .computeIfAbsent(component, name -> broadcaster(parts, name, clock, threads))
                        .recorder(component));
        try {
            manager = ControllerManager.start(context, parts.options(), parts.enabled());
        } catch (RuntimeException | Error e) {
            // The manager has closed the informers.
            EventBroadcaster.closeAll(broadcasters.values());
            throw e;
        }
    }

    /** Each component writes its events as itself: it is its account that may. */
    private static EventBroadcaster broadcaster(Parts parts, String component, Clock clock, ThreadFactory threads) {
        return new EventBroadcaster(
                EventSink.of(parts.clients().client(component)),
                parts.options().rules().eventOptions(),
                clock,
                threads);
    }

    /** Starts everything and returns; caches fill in the background. */
    static ManagerRun start(Parts parts) {
        return new ManagerRun(parts);
    }

    /** Starts all controllers on a server in this process, without limits and without leader election. */
    public static ManagerRun inProcess(Transport transport) {
        KubeClient client = KubeClient.of(transport, JsonCodec.standard());
        ClientBuilder shared = new ClientBuilder() {
            @Override
            public KubeClient client(String name) {
                return client;
            }

            @Override
            public void close() {
                // The transport belongs to the server.
            }
        };
        return start(new Parts(
                shared,
                client,
                Duration.ZERO,
                ControllerOptions.DEFAULT,
                ControllerTable.ALL,
                new PrometheusQueueMetrics(new PrometheusRegistry()),
                InformerMetricsProvider.NONE));
    }

    /** Returns the caches. Thread-safe. */
    public SharedInformerFactory informers() {
        return informers;
    }

    /** Returns the names of the controllers that run. */
    public List<String> controllers() {
        return manager.names();
    }

    /** Lets controllers begin nothing more, and stops informers: for who does not want to know what else there is to do. */
    void abandon() {
        manager.abandon();
    }

    /** Stops controllers, informers and broadcasters, in this order. Blocks. */
    @Override
    public void close() {
        manager.close();
        EventBroadcaster.closeAll(broadcasters.values());
    }
}
