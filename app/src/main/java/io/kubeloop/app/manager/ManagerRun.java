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
import io.kubeloop.cache.Transforms;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.StaleSyncMetrics;
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
 * Runs informers, event broadcasters and controllers from the start to the end of a term. A process has one term,
 * because it exits when it loses its lease. Confined to the thread that runs the manager, except {@link #informers}.
 */
public final class ManagerRun implements AutoCloseable {

    /** The resync period of informers in one process; handlers may request shorter ones. */
    private static final Duration RESYNC_PERIOD = Duration.ofHours(12);

    /** The accounts of components whose events have another name than the account. */
    private static final Map<String, String> ACCOUNTS = Map.of(
            "controllermanager", "disruption-controller",
            "daemonset-controller", "daemon-set-controller",
            "endpoint-slice-controller", "endpointslice-controller",
            "endpoint-slice-mirroring-controller", "endpointslicemirroring-controller",
            "garbage-collector-controller", "generic-garbage-collector");

    private final SharedInformerFactory informers;
    private final Map<String, EventBroadcaster> broadcasters = new ConcurrentHashMap<>();
    private final ControllerManager manager;

    /**
     * The parts of a run.
     *
     * @param clients creates the clients of controllers; not closed by the run
     * @param informerClient the client of the informers; not closed by the run
     * @param resyncPeriod the resync period of the informers; zero disables resyncs
     * @param options the options of single controllers
     * @param enabled the controllers to start
     * @param queueMetrics receives the metrics of work queues
     * @param informerMetrics receives the metrics of informers
     * @param staleSyncMetrics receives the stale syncs of controllers
     */
    record Parts(
            ClientBuilder clients,
            KubeClient informerClient,
            Duration resyncPeriod,
            ControllerOptions options,
            List<ControllerDescriptor> enabled,
            PrometheusQueueMetrics queueMetrics,
            InformerMetricsProvider informerMetrics,
            StaleSyncMetrics staleSyncMetrics) {}

    private ManagerRun(Parts parts) {
        Clock clock = Clock.systemUTC();
        ThreadFactory threads = DaemonThreads.factory();
        informers = SharedInformers.factory(
                parts.informerClient(),
                InformerConfig.DEFAULT
                        .withResyncPeriod(parts.resyncPeriod())
                        .withMetrics(parts.informerMetrics())
                        .withTransform(Transforms::stripManagedFields));
        ControllerContext context = new ControllerContext(
                parts.clients()::client,
                informers,
                clock,
                threads,
                name -> WorkQueueConfig.named(name).withMetrics(parts.queueMetrics()),
                component -> broadcasters
                        .computeIfAbsent(component, name -> broadcaster(parts, name, clock, threads))
                        .recorder(component),
                parts.staleSyncMetrics());
        try {
            manager = ControllerManager.start(context, parts.options(), parts.enabled());
        } catch (RuntimeException | Error e) {
            // ControllerManager.start has closed the informers.
            EventBroadcaster.closeAll(broadcasters.values());
            throw e;
        }
    }

    /** Each component writes its events with its own client, whose account has the permission. */
    private static EventBroadcaster broadcaster(Parts parts, String component, Clock clock, ThreadFactory threads) {
        return new EventBroadcaster(
                EventSink.of(parts.clients().client(ACCOUNTS.getOrDefault(component, component))),
                parts.options().rules().eventOptions(),
                clock,
                threads);
    }

    /** Starts a run. Does not block: the caches fill in the background. */
    static ManagerRun start(Parts parts) {
        return new ManagerRun(parts);
    }

    /**
     * Starts all controllers with one client for all of them, without a rate limit and without leader election.
     *
     * @param transport calls the server; not closed by the run
     */
    public static ManagerRun inProcess(Transport transport) {
        KubeClient client = KubeClient.of(transport, JsonCodec.standard());
        ClientBuilder shared = new ClientBuilder() {
            @Override
            public KubeClient client(String name) {
                return client;
            }

            @Override
            public void close() {
                // The caller closes the transport.
            }
        };
        return start(new Parts(
                shared,
                client,
                RESYNC_PERIOD,
                ControllerOptions.DEFAULT,
                ControllerTable.onByDefault(),
                new PrometheusQueueMetrics(new PrometheusRegistry()),
                InformerMetricsProvider.NONE,
                StaleSyncMetrics.NONE));
    }

    /** Returns the informers. Thread-safe. */
    public SharedInformerFactory informers() {
        return informers;
    }

    /** Returns the names of the controllers that were started. */
    public List<String> controllers() {
        return manager.names();
    }

    /** Stops controllers and informers without waiting for queued work or current syncs. */
    void abandon() {
        manager.abandon();
    }

    /**
     * Stops controllers, informers and broadcasters, in this order. Blocks until they have stopped; the wait for
     * current syncs is bounded.
     */
    @Override
    public void close() {
        manager.close();
        EventBroadcaster.closeAll(broadcasters.values());
    }
}
