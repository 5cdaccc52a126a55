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
import io.kubeloop.controller.leaderelection.LeaseLock;
import io.kubeloop.runtime.OneShotLatch;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
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
 * <p><b>Stop.</b> {@link #close} stops the controllers while this process still leads, so that their last writes pass.
 * It then writes the last events, releases the lease and stops the informers.
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
     *   R2  Controllers start at most once, after this process became leader, and not after close.
     *   R3  The lease is released only after every worker has ended: lead() returns only then, whether the start
     *       failed or an interrupt came, and the elector waits for it.
     *   R4  `ended` opens after the controllers, the events and the informers have stopped, whatever the reason.
     * Threads: start, awaitEnd and close are called by any thread of the user; lead by the elector's guarded thread;
     * stopWork by the elector's thread. It and close() may run at the same time: each of their steps may be repeated.
     * No lock: latches, atomic and volatile fields. User code (controllers' factories) runs on the thread that starts
     * the runner; a client that it hands to another thread rejects writes until the election has started.
     */

    private static final Logger LOG = LoggerFactory.getLogger(ControllerRunner.class);

    /** Long enough to mean "until it has ended", short enough for arithmetic in nanoseconds. */
    private static final Duration UNLIMITED = Duration.ofDays(365);

    private final Duration shutdownTimeout;
    private final int workers;
    private final KubeClient client;
    private final boolean closesClient;
    private final SharedInformerFactory informers;
    private final EventBroadcaster broadcaster;
    private final List<Controller> controllers;
    private final @Nullable LeaderElector elector;

    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Scheduler scheduler;
    private final OneShotLatch stopping;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** True while a runner without an election may write. The threads that start and close it write it. */
    private volatile boolean leadsAlone;

    private ControllerRunner(Builder builder) {
        shutdownTimeout = builder.shutdownTimeout;
        workers = builder.workers;
        scheduler = builder.time.monotonic();
        stopping = new OneShotLatch(scheduler);
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
            elector = builder.lease == null ? null : new LeaderElector(electionConfig(builder, builder.lease));
        } catch (RuntimeException | Error e) {
            made.forEach(controller -> attempt("close", controller, controller::close));
            broadcaster.close();
            informers.close();
            closeClient();
            throw e;
        }
    }

    private LeaderElectionConfig electionConfig(Builder builder, ObjectName lease) {
        /*
         * The lock itself is written without the fence: a candidate writes it before it leads.
         */
        LeaseLock lock = new LeaseLock(builder.client, lease, builder.identity());
        LeaderElectionConfig config = LeaderElectionConfig.of(lock, new Callbacks())
                .withReleaseOnCancel()
                .withTime(builder.time)
                .withThreads(builder.threads);
        return builder.election.apply(config);
    }

    /** Returns a builder for controllers that read and write through this client, which the runner does not close. */
    public static Builder builder(KubeClient client) {
        return new Builder(client);
    }

    /** Joins the election, or leads at once where there is none. */
    private void start() {
        if (elector != null) {
            elector.start();
            return;
        }
        leadsAlone = true;
        startWork();
    }

    private void startWork() {
        informers.start();
        for (Controller controller : controllers) {
            controller.start(workers);
        }
    }

    private final class Callbacks implements LeaderCallbacks {

        @Override
        public void onStartedLeading() {
            lead();
        }

        @Override
        public void onStoppedLeading() {
            boolean isLoss = !closed.get() && failure.get() == null;
            if (isLoss) {
                failure.compareAndSet(null, new ControllerException("leadership ended: " + lossOf(elector), null));
            }
            try {
                stopWork();
            } finally {
                ended.countDown();
            }
        }
    }

    private static String lossOf(@Nullable LeaderElector elector) {
        String leader = elector == null ? "" : elector.getLeader();
        return elector == null || elector.isLeader() || leader.isEmpty()
                ? "the lease could not be renewed in time"
                : "the lease is held by " + leader;
    }

    /**
     * Starts the work and returns when all of it has ended, so that the elector does not release the lease before (R3).
     */
    private void lead() {
        if (closed.get()) {
            return;
        }
        try {
            startWork();
            stopping.await(scheduler, UNLIMITED);
            if (Thread.interrupted()) { // by the elector, just before the release: the wait below must not see it
                throw new InterruptedException();
            }
        } catch (InterruptedException e) {
            LOG.debug("Leadership has ended; waiting for {} controllers to stop", controllers.size());
        } catch (RuntimeException | Error e) {
            if (!closed.get()) { // otherwise a controller that was shut down meanwhile refused to start
                failure.compareAndSet(null, e);
                endLeadership(); // which stops those that run already, before the wait below
                throw e;
            }
        } finally {
            controllers.forEach(ControllerRunner::awaitEndOf);
        }
    }

    private void endLeadership() {
        LeaderElector candidate = elector;
        if (candidate != null) {
            candidate.cancel();
        }
    }

    /**
     * Waits until the controller has ended. An interrupt does not end the wait: the elector interrupts before it
     * releases (R3).
     */
    private static void awaitEndOf(Controller controller) {
        boolean ended = false;
        while (!ended) {
            ended = controller.awaitTermination(UNLIMITED) || !Thread.interrupted();
        }
    }

    /** Returns whether this process may write at this moment. Reads the clock; does not block. */
    public boolean isLeading() {
        LeaderElector candidate = elector;
        return candidate == null ? leadsAlone : candidate.isLeading();
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
        ended.await();
        Throwable thrown = failure.get();
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /**
     * Stops everything in order: controllers, events, leadership, informers. Safe to call twice.
     *
     * <p>Blocks: up to the shutdown timeout for keys in progress, 5 s for events, then for the release of the lease and
     * for threads of the informers, up to half a minute each. An interrupt ends each wait at once and stays set; every
     * part is stopped nevertheless. A controller's {@code sync} must not call it, because it would wait for itself.
     */
    @Override
    public void close() {
        closed.set(true);
        try {
            stopControllers(); // while this process leads: the last writes pass the fence
            broadcaster.close(); // the last events as well
            if (elector != null) {
                elector.close(); // another process may lead from here on
            }
            leadsAlone = false;
            informers.close();
            closeClient();
        } finally {
            ended.countDown();
        }
    }

    private void stopWork() {
        stopControllers();
        broadcaster.close();
        informers.close();
    }

    private void stopControllers() {
        shutDownControllers();
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
    private void shutDownControllers() {
        stopping.release();
        controllers.forEach(controller -> attempt("shut down", controller, controller::shutDown));
    }

    private static void attempt(String what, Controller controller, Runnable call) {
        UserCallbacks.attempt(
                call, e -> LOG.error("Cannot {} controller {}; the others follow", what, controller.name(), e));
    }

    private void closeClient() {
        if (closesClient) {
            client.close();
        }
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
                runner.start();
                return runner;
            } catch (RuntimeException | Error e) {
                runner.close();
                throw e;
            }
        }
    }
}
