package io.kubeloop.manager;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.Transforms;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.StaleSyncMetrics;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs Kubernetes' controllers, and controllers of one's own beside them, on one set of shared informers (upstream: {@code
 * cmd/kube-controller-manager/app}).
 *
 * <pre>{@code
 * try (ControllerManager manager = ControllerManager.builder(client)
 *         .controller(ControllerDescriptor.of("card-controller", 2, ServiceCards::controller))
 *         .controllers("*", "-ttl-controller")
 *         .start()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>Thread-safe. Only {@link #close} blocks.
 */
public final class ControllerManager implements AutoCloseable {

    private final ControllerTerm term;
    private final @Nullable ClientBuilder owned;

    /**
     * The settings of a term.
     *
     * @param informerClient the client of the informers
     */
    record Settings(
            KubeClient informerClient,
            InformerConfig informers,
            ControllerOptions options,
            EventCorrelatorOptions events,
            Function<String, WorkQueueConfig> queues,
            StaleSyncMetrics staleSyncs,
            ControllerTime time,
            ThreadFactory threads) {}

    private ControllerManager(Builder builder, List<ControllerDescriptor> enabled) {
        owned = builder.clients;
        Function<String, KubeClient> clients =
                builder.clients == null ? component -> builder.client : builder.clients::client;
        term = ControllerTerm.start(clients, enabled, builder.settings());
    }

    /** Returns a builder for controllers that read and write through this client, which the manager does not close. */
    public static Builder builder(KubeClient client) {
        return new Builder(client);
    }

    /** Returns the informers that all controllers share. */
    public SharedInformerFactory informers() {
        return term.informers();
    }

    /** Returns the names of the controllers that were started; options can disable a selected one. */
    public List<String> controllers() {
        return term.names();
    }

    /** Stops controllers and informers without waiting for queued work or current syncs. */
    public void abandon() {
        term.abandon();
    }

    /**
     * Stops controllers, informers and events, in this order. Blocks until they have stopped; the wait for current
     * syncs is at most 10 s.
     */
    @Override
    public void close() {
        term.close();
        if (owned != null) {
            owned.close();
        }
    }

    /** Settings of a {@link ControllerManager}. Not thread-safe. */
    public static final class Builder {

        private final KubeClient client;
        private @Nullable ClientBuilder clients;
        private ControllerTable table = ControllerTable.BUILT_IN;
        private ControllerSelection selection = ControllerSelection.DEFAULT;
        private ControllerOptions options = ControllerOptions.DEFAULT;
        private InformerConfig informers = InformerConfig.DEFAULT
                .withResyncPeriod(Duration.ofHours(12))
                .withTransform(Transforms::stripManagedFields);
        private EventCorrelatorOptions events = EventCorrelatorOptions.CURRENT;
        private Function<String, WorkQueueConfig> queues = WorkQueueConfig::named;
        private StaleSyncMetrics staleSyncs = StaleSyncMetrics.NONE;
        private ControllerTime time = ControllerTime.system();
        private ThreadFactory threads = Thread::new;

        private Builder(KubeClient client) {
            this.client = Objects.requireNonNull(client, "client");
        }

        /**
         * Sets a client per component, with its own identity or rate limit. The manager closes the builder. Default: the
         * client of the informers for all of them.
         */
        public Builder clients(ClientBuilder separate) {
            clients = separate;
            return this;
        }

        /**
         * Adds a controller to the table.
         *
         * @throws IllegalArgumentException if its name or alias is taken
         */
        public Builder controller(ControllerDescriptor controller) {
            table = table.with(controller);
            return this;
        }

        /** Sets the table of controllers. Default: {@link ControllerTable#BUILT_IN}. */
        public Builder table(ControllerTable known) {
            table = known;
            return this;
        }

        /** Sets the controllers that run, by the rules of {@link ControllerSelection}. Default: {@code *}. */
        public Builder controllers(String... entries) {
            return controllers(ControllerSelection.of(entries));
        }

        /** Sets the controllers that run. Default: {@link ControllerSelection#DEFAULT}. */
        public Builder controllers(ControllerSelection enabled) {
            selection = enabled;
            return this;
        }

        /** Sets the options of single controllers. Default: {@link ControllerOptions#DEFAULT}. */
        public Builder options(ControllerOptions changed) {
            options = changed;
            return this;
        }

        /** Sets resync period, transform and metrics of the informers. Default: 12 h, without managed fields. */
        public Builder informers(InformerConfig config) {
            informers = config;
            return this;
        }

        /** Sets how events are condensed. Default: {@link EventCorrelatorOptions#CURRENT}. */
        public Builder eventOptions(EventCorrelatorOptions correlation) {
            events = correlation;
            return this;
        }

        /** Sets clock and metrics of the work queues, by the name of a queue. Default: {@link WorkQueueConfig#named}. */
        public Builder queues(Function<String, WorkQueueConfig> configs) {
            queues = configs;
            return this;
        }

        /** Sets the receiver of stale syncs. Default: {@link StaleSyncMetrics#NONE}. */
        public Builder staleSyncs(StaleSyncMetrics metrics) {
            staleSyncs = metrics;
            return this;
        }

        /** Sets the time of timestamps and of the election, for a test. Default: the system's. */
        public Builder time(ControllerTime sources) {
            time = sources;
            return this;
        }

        /** Sets the maker of threads; the manager names them. Default: threads that are not daemons. */
        public Builder threads(ThreadFactory factory) {
            threads = factory;
            return this;
        }

        private Settings settings() {
            return new Settings(client, informers, options, events, queues, staleSyncs, time, threads);
        }

        /**
         * Starts the controllers. Does not block: the caches fill in the background.
         *
         * @throws IllegalArgumentException if the selection names a controller that the table does not have
         * @throws RuntimeException what an initializer threw; no controller is left running then
         */
        public ControllerManager start() {
            return new ControllerManager(this, table.select(selection));
        }
    }
}
