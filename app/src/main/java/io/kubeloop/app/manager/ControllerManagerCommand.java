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
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.leaderelection.LeaseLock;
import io.kubeloop.manager.ControllerManager;
import io.kubeloop.manager.ControllerOptions;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
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
        description = "Runs the controllers of Kubernetes against an API server.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false)
public final class ControllerManagerCommand implements Callable<Integer> {

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Mixin
    private final ManagerFlags flags = new ManagerFlags();

    @CommandLine.Mixin
    private final Verbosity verbosity = new Verbosity();

    private final ShutdownSignal signal;
    private final ControllerTable table;

    /** Creates the command with the controllers of Kubernetes; the signal ends it. */
    public ControllerManagerCommand(ShutdownSignal signal) {
        this(signal, ControllerTable.BUILT_IN);
    }

    /** Creates the command with a table that can have more controllers. */
    public ControllerManagerCommand(ShutdownSignal signal, ControllerTable table) {
        this.signal = signal;
        this.table = table;
    }

    @Override
    public Integer call() throws InterruptedException {
        verbosity.apply();
        flags.check();
        checkControllers();
        ClientConfig config = ServerConnection.config(flags.kubeconfig(), flags.master());
        ControllerOptions options = flags.controllerOptions(config.tls());
        try (ManagerStatus status = ManagerStatus.start(flags);
                ManagerClients clients = new ManagerClients(config, flags, status.requestMetrics(), status::observe)) {
            if (!signal.outlasts(() -> ServerConnection.checkReachable(clients.informers(), config))) {
                return CommandLine.ExitCode.OK;
            }
            try (ControllerManager manager = manager(clients, status, options)) {
                manager.elector().ifPresent(elector -> status.takesPart(lease(), elector));
                signal.onAsked(manager::requestEnd);
                manager.awaitEnd();
            } catch (ControllerException e) {
                throw new FailureException(String.valueOf(e.getMessage()), e);
            } finally {
                status.stopped();
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private void checkControllers() {
        try {
            var unused = table.select(flags.selection());
        } catch (IllegalArgumentException e) {
            throw new UsageException("--controllers names " + e.getMessage());
        }
    }

    private ObjectName lease() {
        return new ObjectName(flags.resourceNamespace(), flags.resourceName());
    }

    /** Starts the controllers, or joins the election. */
    private ControllerManager manager(ManagerClients clients, ManagerStatus status, ControllerOptions options) {
        ControllerManager.Builder manager = ControllerManager.builder(clients.informers())
                .clients(clients::fenced)
                .table(table)
                .controllers(flags.selection())
                .options(options)
                .informers(InformerConfig.DEFAULT
                        .withResyncPeriod(resyncPeriod())
                        .withMetrics(status.informerMetrics())
                        .withTransform(Transforms::stripManagedFields))
                .queues(name -> WorkQueueConfig.named(name).withMetrics(status.queueMetrics()))
                .metrics(status.controllerMetrics())
                .threads(DaemonThreads.factory())
                .listener(new Progress(status));
        if (flags.leaderElect()) {
            String identity = LeaseLock.uniqueIdentity();
            print("waiting for the lease " + lease() + " as " + identity);
            manager.lease(lease())
                    .identity(identity)
                    .electionClient(clients.forLeaderElection())
                    .election(config -> config.withDurations(
                                    flags.leaseDuration(), flags.renewDeadline(), flags.retryPeriod())
                            .withMetrics(status.electionMetrics()));
        }
        return manager.start();
    }

    /** Prints the changes of the manager's role. */
    private final class Progress implements ControllerManager.Listener {

        private final ManagerStatus status;

        Progress(ManagerStatus status) {
            this.status = status;
        }

        @Override
        public void onStarted(ControllerManager manager) {
            status.running(manager);
            print("started " + String.join(", ", manager.controllers()));
        }

        @Override
        public void onStopping() {
            print("stopping");
        }

        @Override
        public void onNewLeader(String identity) {
            print(identity.isEmpty() ? "there is no leader" : "the leader is " + identity);
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

    private void print(String what) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(what);
        out.flush();
    }
}
