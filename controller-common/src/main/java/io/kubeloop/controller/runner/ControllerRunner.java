/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.runner;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.controller.Controller;
import io.kubeloop.controller.ControllerContext;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.events.EventBroadcaster;
import io.kubeloop.controller.events.EventCorrelatorOptions;
import io.kubeloop.controller.events.EventSink;
import io.kubeloop.controller.leaderelection.FencedTransport;
import io.kubeloop.controller.leaderelection.LeaderCallbacks;
import io.kubeloop.controller.leaderelection.LeaderElectionConfig;
import io.kubeloop.controller.leaderelection.LeaderElector;
import io.kubeloop.controller.leaderelection.LeaderRun;
import io.kubeloop.controller.leaderelection.LeaseLock;
import io.kubeloop.runtime.UserCallbacks;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs controllers in a process that is one of several: only the process that holds the lease acts (upstream: the body
 * of {@code Run} in kube-controller-manager, and controller-runtime's {@code Manager}).
 *
 * <pre>{@code
 * try (ControllerRunner runner = ControllerRunner.builder(client)
 *         .lease(new ObjectName("default", "cards"))
 *         .controller(ServiceCards::controller)
 *         .start()) {
 *     runner.awaitEnd();
 * }
 * }</pre>
 *
 * <p><b>Start.</b> {@link Builder#start} makes the controllers, which register their handlers, and joins the election.
 * Once this process leads, the informers start, all at once, and then the workers of each controller. Workers wait
 * until their caches are filled.
 *
 * <p><b>Stop.</b> {@link #close} stops the controllers while this process still leads, so their last writes pass.
 * It then writes the last events, stops the informers and releases the lease.
 *
 * <p><b>Lost lease.</b> The fence rejects every write from the moment at which the lease can no longer be trusted,
 * before any thread has noticed. The controllers then stop, and {@link #awaitEnd} throws. A runner runs once: the
 * process should end and be started again.
 *
 * <p>Not promised: a write that was sent before the lease was lost may reach the server afterwards.
 *
 * <p>Thread-safe. {@link #awaitEnd} and {@link #close} block.
 */
public final class ControllerRunner implements AutoCloseable {

    /*
     * Invariants
     *   R1  Every write of a controller passes `client`, which checks isLeading() before it sends.
     *   R2  Controllers start at most once, after this process became leader, and not after close (LeaderRun L1).
     *   R3  The lease is released only after every worker has ended (LeaderRun L3).
     *   R4  awaitEnd returns after the controllers, the events and the informers have stopped (LeaderRun L4).
     * Threads: start, awaitEnd and close are called by any thread of the user, the methods of Controllers by LeaderRun.
     * User code (controllers' factories) runs on the thread that starts the runner; a client that it hands to another
     * thread rejects writes until the election has started.
     */

    private static final Logger LOG = LoggerFactory.getLogger(ControllerRunner.class);

    /** Longer than any process runs. */
    private static final Duration UNLIMITED = Duration.ofDays(36_500);

    /** The longest wait for events and informers, which follows the wait for the controllers. */
    private static final Duration REST = Duration.ofSeconds(35);

    private final Duration shutdownTimeout;
    private final int workers;
    private final KubeClient client;
    private final boolean closesClient;
    private final SharedInformerFactory informers;
    private final EventBroadcaster broadcaster;
    private final List<Controller> controllers;
    private final LeaderRun life;

    private ControllerRunner(Builder builder) {
        shutdownTimeout = builder.shutdownTimeout;
        workers = builder.workers;
        client = builder.fencedClient == null
                ? builder.client.withTransport(new FencedTransport(builder.client.transport(), this::isLeading))
                : builder.fencedClient.apply(this::isLeading);
        closesClient = builder.fencedClient != null;
        informers = builder.informers.apply(client);
        broadcaster = new EventBroadcaster(
                EventSink.of(client),
                builder.eventOptions,
                builder.time.wall(),
                builder.time.monotonic(),
                builder.threads);
        ControllerContext context = new ControllerContext(
                component -> client,
                informers,
                builder.time.wall(),
                builder.threads,
                builder.queues,
                broadcaster::recorder);
        List<Controller> made = new ArrayList<>();
        try {
            builder.controllers.forEach(factory -> made.add(factory.apply(context)));
            controllers = List.copyOf(made);
            ObjectName lease = builder.lease;
            life = new LeaderRun(
                    new Work(),
                    builder.time.monotonic(),
                    shutdownTimeout.plus(REST),
                    identity -> {},
                    lease == null ? null : callbacks -> electionConfig(builder, lease, callbacks));
        } catch (RuntimeException | Error e) {
            made.forEach(controller -> attempt("close", controller, controller::close));
            broadcaster.close();
            informers.close();
            if (closesClient) {
                client.close();
            }
            throw e;
        }
    }

    private static LeaderElectionConfig electionConfig(Builder builder, ObjectName lease, LeaderCallbacks callbacks) {
        /*
         * The lock itself is written without the fence: a candidate writes it before it leads.
         */
        LeaseLock lock = new LeaseLock(builder.client, lease, builder.identity());
        LeaderElectionConfig config = LeaderElectionConfig.of(lock, callbacks)
                .withReleaseOnCancel()
                .withTime(builder.time)
                .withThreads(builder.threads);
        return builder.election.apply(config);
    }

    /** Returns a builder for controllers that read and write through this client, which the runner does not close. */
    public static Builder builder(KubeClient client) {
        return new Builder(client);
    }

    private final class Work implements LeaderRun.Work {

        @Override
        public void start() {
            informers.start();
            for (Controller controller : controllers) {
                controller.start(workers);
            }
        }

        /** The last writes and events pass, because this process still leads. */
        @Override
        public void stop() {
            stopControllers();
            broadcaster.close();
            informers.close();
        }

        @Override
        public void abandon() {
            stop();
        }

        @Override
        public void awaitTermination() {
            controllers.forEach(ControllerRunner::awaitEndOf);
        }
    }

    /**
     * Waits until the controller has ended. The interrupt by which the elector ends a leadership does not end this
     * wait.
     */
    private static void awaitEndOf(Controller controller) {
        boolean ended = false;
        while (!ended) {
            ended = controller.awaitTermination(UNLIMITED) || !Thread.interrupted();
        }
    }

    /** Returns whether this process may write at this moment. Reads the clock; does not block. */
    public boolean isLeading() {
        return life.isLeading();
    }

    /** Returns the health of this moment. Takes the state of each informer; does not block on the API server. */
    public RunnerHealth health() {
        return new RunnerHealth(
                life.hasEnded(),
                isLeading(),
                life.elector()
                        .map(elector -> !elector.isHealthy(LeaderElector.TOLERANCE))
                        .orElse(false),
                informers.health());
    }

    /**
     * Blocks until the runner has ended: without limit, until {@link #close} was called, the lease was lost or the
     * start failed.
     *
     * @throws ControllerException if leadership was lost; the message names the reason
     * @throws RuntimeException what a controller's start threw
     * @throws InterruptedException if the caller is interrupted while it waits; the runner continues
     */
    public void awaitEnd() throws InterruptedException {
        life.awaitEnd();
    }

    /**
     * Stops everything in order: controllers, events, informers, leadership. Safe to call twice.
     *
     * <p>Blocks: up to the shutdown timeout for keys in progress, 5 s for events, then for threads of the informers
     * and for the release of the lease, up to half a minute each. An interrupt ends each wait at once and stays set;
     * every part is stopped nevertheless. A controller's {@code sync} must not call it, because it would wait for
     * itself.
     */
    @Override
    public void close() {
        life.close();
        if (closesClient) {
            client.close();
        }
    }

    private void stopControllers() {
        controllers.forEach(controller -> attempt("shut down", controller, controller::shutDown));
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(shutdownTimeout);
        for (Controller controller : controllers) {
            if (!controller.awaitTermination(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
                LOG.warn(
                        "Controller {} has not stopped within {}; the lease is not released while it runs",
                        controller.name(),
                        shutdownTimeout);
            }
        }
    }

    /** A controller that throws must not prevent the end of the other controllers, the lease and the informers. */
    private static void attempt(String what, Controller controller, Runnable call) {
        UserCallbacks.attempt(
                call, e -> LOG.error("Cannot {} controller {}; the others follow", what, controller.name(), e));
    }

    /** Settings of a {@link ControllerRunner}. Not thread-safe. */
    public static final class Builder {

        private final KubeClient client;
        private final List<Function<ControllerContext, ? extends Controller>> controllers = new ArrayList<>();
        private @Nullable ObjectName lease;
        private @Nullable String identity;
        private UnaryOperator<LeaderElectionConfig> election = UnaryOperator.identity();
        private @Nullable Function<BooleanSupplier, KubeClient> fencedClient;
        private Function<KubeClient, SharedInformerFactory> informers = SharedInformers::factory;
        private EventCorrelatorOptions eventOptions = EventCorrelatorOptions.DEFAULT;
        private Function<String, WorkQueueConfig> queues = WorkQueueConfig::named;
        private int workers = 2;
        private Duration shutdownTimeout = Controller.CLOSE_TIMEOUT;
        private ThreadFactory threads = Thread::new;
        private ControllerTime time = ControllerTime.system();

        private Builder(KubeClient client) {
            this.client = Objects.requireNonNull(client, "client");
        }

        private String identity() {
            return identity == null ? LeaseLock.uniqueIdentity() : identity;
        }

        /**
         * Adds a controller; its factory runs once, on the thread that calls {@link #start}.
         *
         * @param factory makes the controller from the client, informers, events and queue settings of the runner
         */
        public Builder controller(Function<ControllerContext, ? extends Controller> factory) {
            controllers.add(Objects.requireNonNull(factory, "factory"));
            return this;
        }

        /**
         * Sets the lease that the processes compete for. It need not exist; its namespace must. Default: no election,
         * and this process acts at once. Use the default in tests, and in programs that run as a single process.
         */
        public Builder lease(ObjectName name) {
            lease = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Sets the name of this process in the election, unique among the candidates. Default: host name and a random
         * UUID.
         */
        public Builder identity(String name) {
            identity = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Changes the settings of the election. Default: 15 s, 10 s and 2 s, and the lease is released at the end.
         *
         * @param change gets the runner's settings and returns those to use; it must keep their callbacks
         */
        public Builder election(UnaryOperator<LeaderElectionConfig> change) {
            election = Objects.requireNonNull(change, "change");
            return this;
        }

        /**
         * Replaces the client of the controllers. A transport that holds writes back, for a rate limit say, must check
         * leadership again when it sends them. Default: the builder's client behind a {@link FencedTransport}.
         *
         * @param factory makes the client; its argument returns whether this process may write. The runner closes the
         *     client
         */
        public Builder fencedClient(Function<BooleanSupplier, KubeClient> factory) {
            fencedClient = Objects.requireNonNull(factory, "factory");
            return this;
        }

        /**
         * Replaces the informer factory; the runner closes it. Default: {@link SharedInformers#factory(KubeClient)}.
         */
        public Builder informers(Function<KubeClient, SharedInformerFactory> factory) {
            informers = Objects.requireNonNull(factory, "factory");
            return this;
        }

        /** Sets how events are condensed. Default: {@link EventCorrelatorOptions#DEFAULT}. */
        public Builder eventOptions(EventCorrelatorOptions options) {
            eventOptions = Objects.requireNonNull(options, "options");
            return this;
        }

        /** Sets the settings of each work queue, by its name. Default: {@link WorkQueueConfig#named}. */
        public Builder queues(Function<String, WorkQueueConfig> configs) {
            queues = Objects.requireNonNull(configs, "configs");
            return this;
        }

        /**
         * Sets the number of keys that each controller processes at a time. Default 2.
         *
         * @throws IllegalArgumentException if the number is less than 1
         */
        public Builder workers(int count) {
            if (count < 1) {
                throw new IllegalArgumentException("a controller needs at least 1 worker, got " + count);
            }
            workers = count;
            return this;
        }

        /** Sets how long a stop waits for keys in progress, for all controllers together. Default 30 s. */
        public Builder shutdownTimeout(Duration timeout) {
            shutdownTimeout = Objects.requireNonNull(timeout, "timeout");
            return this;
        }

        /** Sets the factory of all threads except the informers'. Default: platform threads. */
        public Builder threads(ThreadFactory factory) {
            threads = Objects.requireNonNull(factory, "factory");
            return this;
        }

        /** Sets the time sources of the election and of events. Default: the system's. */
        public Builder time(ControllerTime sources) {
            time = Objects.requireNonNull(sources, "sources");
            return this;
        }

        /**
         * Makes the controllers and joins the election. Returns at once; {@link ControllerRunner#awaitEnd} reports what
         * fails later.
         *
         * @throws IllegalArgumentException if no controller was added
         * @throws RuntimeException what a controller's factory threw; everything made before is closed then
         */
        public ControllerRunner start() {
            if (controllers.isEmpty()) {
                throw new IllegalArgumentException("cannot start a runner without controllers; call controller(...)");
            }
            ControllerRunner runner = new ControllerRunner(this);
            try {
                runner.life.start();
                return runner;
            } catch (RuntimeException | Error e) {
                runner.close();
                throw e;
            }
        }
    }
}
