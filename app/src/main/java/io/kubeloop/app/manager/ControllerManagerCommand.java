package io.kubeloop.app.manager;

import io.kubeloop.api.ObjectName;
import io.kubeloop.app.cli.DaemonThreads;
import io.kubeloop.app.cli.FailureException;
import io.kubeloop.app.cli.ShutdownSignal;
import io.kubeloop.app.cli.UsageException;
import io.kubeloop.app.cli.Verbosity;
import io.kubeloop.app.clients.ServerConnection;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.Transforms;
import io.kubeloop.controller.events.EventBroadcaster;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventSink;
import io.kubeloop.controller.leaderelection.LeaderElectionConfig;
import io.kubeloop.controller.leaderelection.LeaderElector;
import io.kubeloop.controller.leaderelection.LeaseLock;
import io.kubeloop.manager.ControllerManager;
import io.kubeloop.manager.ControllerOptions;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine;

/**
 * {@code kubeloop controller-manager} runs the controllers against any API server. Of several managers, the leader
 * acts.
 *
 * <p>The process reads flags and kubeconfig, requests the version of the server, waits for the lease, and runs the
 * controllers. On SIGTERM it stops the controllers, releases the lease and exits with 0. When it loses the lease, it
 * stops writing at once and exits with 1, because its caches may be out of date.
 */
@CommandLine.Command(
        name = "controller-manager",
        description = "Runs the Endpoints, ReplicaSet and ReplicationController controllers against an API server.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
public final class ControllerManagerCommand implements Callable<Integer> {

    /** The component of the events of the election; the same as upstream's. */
    private static final String COMPONENT = "kube-controller-manager";

    /** The longest wait for the events of the election after the release of the lease, when the server answers. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** The longest wait when the lease was not released. The server may be away; upstream does not wait at all. */
    private static final Duration LITTLE_PATIENCE = Duration.ofMillis(500);

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Mixin
    private final ManagerFlags flags = new ManagerFlags();

    @CommandLine.Mixin
    private final Verbosity verbosity = new Verbosity();

    private final ShutdownSignal signal;

    public ControllerManagerCommand(ShutdownSignal signal) {
        this.signal = signal;
    }

    @Override
    public Integer call() throws InterruptedException {
        verbosity.apply();
        flags.check();
        checkControllers();
        ClientConfig config = ServerConnection.config(flags.kubeconfig(), flags.master());
        ControllerOptions options = flags.controllerOptions(config.tls());
        try (ManagerStatus status = ManagerStatus.start(flags);
                ManagerClients clients = new ManagerClients(config, flags, status.requestMetrics())) {
            if (!signal.outlasts(() -> ServerConnection.checkReachable(clients.informers(), config))) {
                return CommandLine.ExitCode.OK;
            }
            if (flags.leaderElect()) {
                elect(clients, status, options);
            } else {
                runControllers(clients, status, options);
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private void checkControllers() {
        try {
            var unused = ControllerTable.BUILT_IN.select(flags.selection());
        } catch (IllegalArgumentException e) {
            throw new UsageException("--controllers names " + e.getMessage());
        }
    }

    /** Takes part in the election, with its events. Blocks until this process ends its part. */
    private void elect(ManagerClients clients, ManagerStatus status, ControllerOptions options) {
        EventBroadcaster events = new EventBroadcaster(
                EventSink.of(clients.informers()),
                flags.rules().eventOptions(),
                Clock.systemUTC(),
                DaemonThreads.factory());
        boolean released = false;
        try {
            released = elect(clients, status, options, events.recorder(COMPONENT));
        } finally {
            events.close(released ? PATIENCE : LITTLE_PATIENCE);
        }
    }

    /** Runs the controllers while this process leads. Returns whether it released the lease. */
    private boolean elect(
            ManagerClients clients, ManagerStatus status, ControllerOptions options, EventRecorder events) {
        ObjectName lease = new ObjectName(flags.resourceNamespace(), flags.resourceName());
        LeaseLock lock = new LeaseLock(
                clients.forLeaderElection(), lease, LeaseLock.uniqueIdentity(hostName()), Map.of(), events);
        AtomicReference<LeaderElector> candidate = new AtomicReference<>();
        LeadingTerm term = new LeadingTerm(
                () -> runControllers(clients, status, options),
                () -> Objects.requireNonNull(candidate.get()).cancel(),
                this::print);
        LeaderElector elector = new LeaderElector(electionConfig(lock, term, status));
        candidate.set(elector);
        clients.fence(elector::isLeading);
        status.takesPart(lease, elector);
        signal.onAsked(term::requestEnd);
        print("waiting for the lease " + lease + " as " + lock.identity());
        try (elector) {
            elector.run();
        }
        term.rethrow();
        if (!signal.isAsked()) {
            throw new FailureException(
                    "lost the lease " + lease + ": another manager holds it, or no renewal succeeded within "
                            + flags.renewDeadline().toSeconds() + " s",
                    null);
        }
        return elector.getLeader().isEmpty();
    }

    private LeaderElectionConfig electionConfig(LeaseLock lock, LeadingTerm term, ManagerStatus status) {
        return LeaderElectionConfig.of(lock, term)
                .withDurations(flags.leaseDuration(), flags.renewDeadline(), flags.retryPeriod())
                .withMetrics(status.electionMetrics())
                .withReleaseOnCancel()
                .withThreads(DaemonThreads.factory());
    }

    /** Runs the controllers. Blocks until the end is requested. */
    private void runControllers(ManagerClients clients, ManagerStatus status, ControllerOptions options)
            throws InterruptedException {
        try (ControllerManager run = ControllerManager.builder(clients.informers())
                .clients(clients.builder())
                .options(options)
                .controllers(flags.selection())
                .informers(InformerConfig.DEFAULT
                        .withResyncPeriod(resyncPeriod())
                        .withMetrics(status.informerMetrics())
                        .withTransform(Transforms::stripManagedFields))
                .queues(name -> WorkQueueConfig.named(name).withMetrics(status.queueMetrics()))
                .staleSyncs(status.staleSyncMetrics())
                .eventOptions(flags.rules().eventOptions())
                .threads(DaemonThreads.factory())
                .start()) {
            status.running(run);
            print("started " + String.join(", ", run.controllers()));
            awaitEnd(run);
            print("stopping");
        } finally {
            status.stopped();
        }
    }

    /**
     * Blocks until the end is requested. If the lease is lost instead, the informers stop before their clients close.
     */
    private void awaitEnd(ControllerManager run) throws InterruptedException {
        try {
            signal.awaitInterruptibly();
        } catch (InterruptedException e) {
            run.abandon();
            throw e;
        }
    }

    /**
     * Returns a random period between the value of the flag and twice that, so that several managers do not resync
     * together.
     */
    private Duration resyncPeriod() {
        double factor = 1 + ThreadLocalRandom.current().nextDouble();
        return Duration.ofMillis((long) (flags.minResyncPeriod().toMillis() * factor));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private void print(String what) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(what);
        out.flush();
    }
}
