/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.Transforms;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.events.EventBroadcaster;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import io.kubeloop.controller.events.EventSink;
import io.kubeloop.controller.leaderelection.FencedTransport;
import io.kubeloop.controller.leaderelection.LeaderElectionConfig;
import io.kubeloop.controller.leaderelection.LeaderElector;
import io.kubeloop.controller.leaderelection.LeaderRun;
import io.kubeloop.controller.leaderelection.LeaseLock;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs Kubernetes' controllers, together with a user's own controllers, on one set of shared informers (upstream:
 * {@code cmd/kube-controller-manager/app}). With a lease, only the process that holds it acts.
 *
 * <pre>{@code
 * try (ControllerManager manager = ControllerManager.builder(client)
 *         .lease(new ObjectName("kube-system", "kube-controller-manager"))
 *         .controller(ControllerDescriptor.of("card-controller", 2, ServiceCards::controller))
 *         .controllers("*", "-ttl-controller")
 *         .start()) {
 *     manager.awaitEnd();
 * }
 * }</pre>
 *
 * <p><b>Stop.</b> {@link #close} stops the controllers while this process still leads, so their last writes pass.
 * It then releases the lease and writes the last events.
 *
 * <p><b>Lost lease.</b> Every write of a controller is rejected from the moment at which the lease can no longer be
 * trusted. The controllers then stop, and {@link #awaitEnd} throws. A manager runs once: the process should end and be
 * started again.
 *
 * <p>Thread-safe. Only {@link #awaitEnd} and {@link #close} block.
 *
 * <p>This class is long because it contains the builder of all settings, each with its documentation.
 */
public final class ControllerManager implements AutoCloseable {

    /*
     * Invariants:
     *   M1  At most one term runs, and at most once: when LeaderRun starts its work.
     *   M2  Every client of a controller checks isLeading() before it writes.
     *
     * Threads: requestEnd, awaitEnd and close are called by any thread of the user, the methods of Term by the thread
     * that runs the term (LeaderRun), and so is the listener. No lock: atomic and volatile fields.
     */

    /** The component of the events of the election; the same as upstream's. */
    private static final String COMPONENT = "kube-controller-manager";

    /** Longer than any process runs. */
    private static final Duration UNLIMITED = Duration.ofDays(36_500);

    /** The longest wait for the informers after that for the controllers. */
    private static final Duration INFORMERS = Duration.ofSeconds(20);

    /** The longest wait for the events of the election after the release of the lease, when the server answers. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The longest wait when the lease was not released. The server may be away; upstream does not wait at all. */
    private static final Duration LITTLE_PATIENCE = Duration.ofMillis(500);

    private final List<ControllerDescriptor> enabled;
    private final Settings settings;
    private final Listener listener;
    private final @Nullable ClientBuilder clients;
    private final Function<String, KubeClient> client;
    private final LeaderRun life;
    private final @Nullable Election election;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile @Nullable ControllerRun term;

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
            ControllerMetrics metrics,
            ControllerTime time,
            ThreadFactory threads,
            Pace pace) {}

    /**
     * The durations of the begin and the end of a term.
     *
     * @param startInterval the pause before the start of a controller, zero for none; a random part of it is added
     * @param stopTimeout the longest wait for current syncs; zero for no limit
     */
    record Pace(Duration startInterval, Duration stopTimeout) {

        boolean hasPauses() {
            return startInterval.compareTo(Duration.ZERO) > 0;
        }

        /** Returns the pause before the start of a controller, for a number from 0 to 1. */
        Duration pause(double random) {
            return startInterval.plusNanos((long) (startInterval.toNanos() * random));
        }

        Duration longestStop() {
            return stopTimeout.compareTo(Duration.ZERO) > 0 ? stopTimeout : UNLIMITED;
        }
    }

    /** The parts of an election that end after it. The candidate is that of a coordinated election. */
    private record Election(
            LeaseLock lock,
            EventBroadcaster events,
            @Nullable LeaseCandidate candidate) {

        void close(boolean isReleased) {
            if (candidate != null) {
                candidate.close();
            }
            events.close(isReleased ? PATIENCE : LITTLE_PATIENCE);
        }
    }

    /**
     * The versions by which kube-apiserver compares the candidates of a coordinated election.
     *
     * @param binary such as {@code 1.36.3}
     * @param emulated such as {@code 1.35.0}
     */
    record Versions(String binary, String emulated) {}

    /** Receives the changes of a manager's role. The methods must return soon. */
    public interface Listener {

        /** The controllers were started; {@link #informers} and {@link #controllers} have values. */
        default void onStarted(ControllerManager manager) {}

        /** The controllers stop because {@link #requestEnd} was called. */
        default void onStopping() {}

        /** The lease has another holder; an empty identity for none. */
        default void onNewLeader(String identity) {}
    }

    private ControllerManager(Builder builder, List<ControllerDescriptor> enabled) {
        this.enabled = enabled;
        this.settings = builder.settings(observed(builder.informers));
        this.listener = builder.listener;
        this.election = builder.lease == null ? null : election(builder, builder.lease);
        try {
            this.life = new LeaderRun(
                    new Term(),
                    builder.time.monotonic(),
                    settings.pace().longestStop().plus(INFORMERS),
                    listener::onNewLeader,
                    election == null
                            ? null
                            : callbacks -> builder.election.apply(LeaderElectionConfig.of(election.lock(), callbacks)
                                    .withReleaseOnCancel()
                                    .withTime(builder.time)
                                    .withThreads(builder.threads)));
        } catch (RuntimeException | Error e) {
            if (election != null) {
                election.close(false);
            }
            throw e;
        }
        this.clients = builder.clients == null ? null : builder.clients.apply(this::isLeading);
        this.client = clients == null ? fenced(builder.client) : clients::client;
    }

    /**
     * Returns settings of informers whose failure ends this manager: the controllers would act on caches that stand
     * still.
     */
    private InformerConfig observed(InformerConfig informers) {
        ThreadFactory threads = informers.threads();
        return informers.withThreads(body -> {
            Thread thread = threads.newThread(body);
            Thread.UncaughtExceptionHandler other = thread.getUncaughtExceptionHandler();
            thread.setUncaughtExceptionHandler((failed, failure) -> {
                life.fail(new ControllerException("the thread " + failed.getName() + " failed: " + failure, failure));
                other.uncaughtException(failed, failure);
            });
            return thread;
        });
    }

    private Function<String, KubeClient> fenced(KubeClient shared) {
        KubeClient fenced = shared.withTransport(new FencedTransport(shared.transport(), this::isLeading));
        return component -> fenced;
    }

    private static Election election(Builder builder, ObjectName lease) {
        EventBroadcaster events = new EventBroadcaster(
                EventSink.of(builder.client), builder.events, builder.time.wall(), builder.threads);
        KubeClient client = builder.electionClient == null ? builder.client : builder.electionClient;
        String identity = builder.identity == null ? LeaseLock.uniqueIdentity() : builder.identity;
        LeaseLock lock = new LeaseLock(client, lease, identity, Map.of(), events.recorder(COMPONENT));
        Versions versions = builder.versions;
        if (versions == null) {
            return new Election(lock, events, null);
        }
        LeaseCandidate candidate = new LeaseCandidate(
                client, lease, identity, versions, builder.time.wall(), builder.informers, builder.threads);
        return new Election(lock.coordinated(), events, candidate);
    }

    /** Joins the election, or starts the controllers if there is none. */
    private void start() {
        life.start();
        if (election != null && election.candidate() != null) {
            election.candidate().start();
        }
    }

    /** Runs the controllers until the end is requested or the leadership ends. */
    private final class Term implements LeaderRun.Work {

        private boolean isStopped;

        @Override
        public void start() {
            ControllerRun run = new ControllerRun(client, settings);
            term = run;
            try {
                run.start(enabled, () -> listener.onStarted(ControllerManager.this));
            } catch (RuntimeException | Error e) {
                term = null;
                throw e;
            }
        }

        @Override
        public void stop() {
            ControllerRun run = term;
            if (run != null) {
                listener.onStopping();
                isStopped = true;
                run.close();
                run.checkStopped();
            }
        }

        /** Before the user closes the clients. */
        @Override
        public void abandon() {
            ControllerRun run = term;
            if (run != null) {
                run.abandon();
            }
        }

        @Override
        public void awaitTermination() {
            ControllerRun run = term;
            if (run != null && !isStopped) {
                run.close();
            }
        }
    }

    /** Returns a builder for controllers that read and write through this client, which the manager does not close. */
    public static Builder builder(KubeClient client) {
        return new Builder(client);
    }

    /**
     * Returns the informers that all controllers share.
     *
     * @throws IllegalStateException if the controllers have not started, because this process does not lead
     */
    public SharedInformerFactory informers() {
        return started().informers();
    }

    /**
     * Returns the names of the controllers that were started; options can disable a selected one.
     *
     * @throws IllegalStateException if the controllers have not started, because this process does not lead
     */
    public List<String> controllers() {
        return started().names();
    }

    private ControllerRun started() {
        ControllerRun now = term;
        if (now == null) {
            throw new IllegalStateException("the controllers have not started: this process does not lead");
        }
        return now;
    }

    /** Returns whether this process may write at this moment. Reads the clock; does not block. */
    public boolean isLeading() {
        return life.isLeading();
    }

    /** Returns the candidate of the election, for its health and leader; empty without a lease. */
    public Optional<LeaderElector> elector() {
        return life.elector();
    }

    /**
     * Requests the end and returns at once; {@link #awaitEnd} then returns. Safe to call twice, and in a signal
     * handler.
     */
    public void requestEnd() {
        life.requestEnd();
    }

    /**
     * Blocks until the end was requested and the controllers have stopped; without limit. Then call {@link #close}.
     *
     * @throws ControllerException if the lease was lost, if a thread failed, for lack of memory for example, or if
     *     controllers did not stop in time
     * @throws RuntimeException the exception of an initializer on the leading thread
     * @throws InterruptedException if the caller is interrupted while it waits; the manager continues
     */
    public void awaitEnd() throws InterruptedException {
        life.awaitEnd();
    }

    /**
     * Stops controllers and informers, releases the lease and writes the last events, in this order. Safe to call
     * twice.
     *
     * <p>Blocks: up to the stop timeout for current syncs, 5 s for events, then for the release of the lease and for
     * the threads of the informers, up to half a minute each. An interrupt ends each wait and stays set.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            life.close();
        } finally {
            if (election != null) {
                election.close(
                        elector().map(LeaderElector::getLeader).orElse("").isEmpty());
            }
            if (clients != null) {
                clients.close();
            }
        }
    }

    /** Settings of a {@link ControllerManager}. Not thread-safe. */
    public static final class Builder {

        private final KubeClient client;
        private @Nullable Function<BooleanSupplier, ? extends ClientBuilder> clients;
        private @Nullable ObjectName lease;
        private @Nullable String identity;
        private @Nullable KubeClient electionClient;
        private @Nullable Versions versions;
        private UnaryOperator<LeaderElectionConfig> election = UnaryOperator.identity();
        private Listener listener = new Listener() {};
        private ControllerTable table = ControllerTable.BUILT_IN;
        private ControllerSelection selection = ControllerSelection.DEFAULT;
        private ControllerOptions options = ControllerOptions.DEFAULT;
        private InformerConfig informers = InformerConfig.DEFAULT
                .withResyncPeriod(Duration.ofHours(12))
                .withTransform(Transforms::stripManagedFields);
        private EventCorrelatorOptions events = EventCorrelatorOptions.DEFAULT;
        private Function<String, WorkQueueConfig> queues = WorkQueueConfig::named;
        private ControllerMetrics metrics = ControllerMetrics.NONE;
        private ControllerTime time = ControllerTime.system();
        private ThreadFactory threads = Thread::new;
        private Pace pace = new Pace(Duration.ZERO, Duration.ofSeconds(10));

        private Builder(KubeClient client) {
            this.client = Objects.requireNonNull(client, "client");
        }

        /**
         * Sets a client per component, with its own identity or rate limit. Default: the manager's client for all of
         * them.
         *
         * @param separate makes the clients, which the manager closes; the argument returns whether this process may
         *     write at this moment, and their writes must be rejected while it may not
         */
        public Builder clients(Function<BooleanSupplier, ? extends ClientBuilder> separate) {
            clients = separate;
            return this;
        }

        /** Lets the process that holds this lease run the controllers. Default: none, each process runs them. */
        public Builder lease(ObjectName name) {
            lease = name;
            return this;
        }

        /** Sets the name of this candidate, unique among the candidates. Default: the host's name and a random UUID. */
        public Builder identity(String unique) {
            identity = unique;
            return this;
        }

        /**
         * Sets durations and metrics of the election. Default: those of {@link LeaderElectionConfig}, with a release at
         * the end.
         */
        public Builder election(UnaryOperator<LeaderElectionConfig> change) {
            election = change;
            return this;
        }

        /**
         * Sets a client for the lease alone, so no other request delays a renewal. Default: the manager's client.
         */
        public Builder electionClient(KubeClient separate) {
            electionClient = separate;
            return this;
        }

        /**
         * Lets kube-apiserver choose the holder of the lease by the versions of the candidates (upstream: the feature
         * gate CoordinatedLeaderElection, which the server must enable too). Default: the candidates compete.
         *
         * @param binary the version of this program, such as {@code 1.36.3}
         * @param emulated the version that it emulates, such as {@code 1.35.0}
         */
        public Builder coordinated(String binary, String emulated) {
            versions = new Versions(binary, emulated);
            return this;
        }

        /** Sets the receiver of changes of this process's role. Default: none. */
        public Builder listener(Listener receiver) {
            listener = receiver;
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

        /** Sets how events are condensed. Default: {@link EventCorrelatorOptions#DEFAULT}. */
        public Builder eventOptions(EventCorrelatorOptions correlation) {
            events = correlation;
            return this;
        }

        /**
         * Sets clock and metrics of the work queues, by the name of a queue. Default: {@link WorkQueueConfig#named}.
         */
        public Builder queues(Function<String, WorkQueueConfig> configs) {
            queues = configs;
            return this;
        }

        /** Sets the receiver of the controllers' metrics. Default: {@link ControllerMetrics#NONE}. */
        public Builder metrics(ControllerMetrics receiver) {
            metrics = receiver;
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

        /**
         * Sets the longest wait for the current syncs of all controllers at the end; zero for no limit. Default: 10 s.
         */
        public Builder stopTimeout(Duration longest) {
            pace = new Pace(pace.startInterval(), longest);
            return this;
        }

        /**
         * Sets the pause before the start of each controller; a random part of it, up to all, is added. It spreads the
         * load of many controllers on the server. Default: zero, they start together.
         */
        public Builder startInterval(Duration pause) {
            pace = new Pace(pause, pace.stopTimeout());
            return this;
        }

        private Settings settings(InformerConfig observed) {
            return new Settings(client, observed, options, events, queues, metrics, time, threads, pace);
        }

        /**
         * Joins the election, or starts the controllers if there is none. Does not block: the caches fill in the
         * background.
         *
         * @throws IllegalArgumentException if the selection names a controller that the table does not have
         * @throws RuntimeException the exception of an initializer; no controller is left running then
         */
        public ControllerManager start() {
            ControllerManager manager = new ControllerManager(this, table.select(selection));
            try {
                manager.start();
                return manager;
            } catch (RuntimeException | Error e) {
                manager.close();
                throw e;
            }
        }
    }
}
