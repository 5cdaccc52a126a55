/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app.manager;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.app.cli.CommandException;
import io.kubeloop.app.cli.DaemonThreads;
import io.kubeloop.app.cli.ShutdownSignal;
import io.kubeloop.app.clients.ServerConnection;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.Transforms;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.leaderelection.LeaseDurations;
import io.kubeloop.controller.leaderelection.LeaseLock;
import io.kubeloop.manager.ControllerDescriptor;
import io.kubeloop.manager.ControllerManager;
import io.kubeloop.manager.ControllerOptions;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.workqueue.WorkQueueConfig;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;

/**
 * {@code kubeloop controller-manager} runs the controllers against any API server. Of several managers, the leader
 * acts.
 *
 * <p>The process reads flags and kubeconfig, waits until the server answers, waits for the lease, and runs the
 * controllers. On SIGTERM it stops the controllers, releases the lease and exits with 0. When it loses the lease, it
 * stops writing at once and exits with 1, because its caches may be out of date.
 */
@CommandLine.Command(
        name = "controller-manager",
        description = "Runs the controllers of Kubernetes against an API server.",
        mixinStandardHelpOptions = true,
        abbreviateSynopsis = true,
        sortOptions = false,
        modelTransformer = ControllerManagerCommand.Options.class)
public final class ControllerManagerCommand implements Callable<Integer> {

    /** The time between two attempts to reach the server. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

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
        OptionValues values = OptionTable.ALL.values(spec.commandLine().getParseResult());
        ManagerSettings settings = ManagerSettings.of(values, table);
        LogOptions.apply(values);
        signal.patience(settings.stopTimeout());
        values.withoutEffect().forEach(spec.commandLine().getErr()::println);
        FeatureGates.withoutEffect(values).forEach(spec.commandLine().getErr()::println);
        ClientConfig config = ServerConnection.config(values.text("kubeconfig"), values.text("master"));
        ControllerOptions options = settings.controllerOptions(config.tls());
        try (ManagerStatus status = ManagerStatus.start(settings);
                ManagerClients clients =
                        new ManagerClients(config, settings, status.requestMetrics(), status::observe)) {
            URI page = status.livePage();
            if (page != null) {
                print("live page at " + page);
            }
            if (!isReached(clients, config)) {
                return CommandLine.ExitCode.OK;
            }
            status.lookUpAuthorities();
            try (ControllerManager manager = manager(settings, clients, status, options)) {
                manager.elector().ifPresent(elector -> status.takesPart(settings.lease(), elector));
                signal.onAsked(manager::requestEnd);
                manager.awaitEnd();
            } catch (ControllerException e) {
                throw new CommandException(String.valueOf(e.getMessage()), e);
            } finally {
                status.stopped();
            }
        }
        return CommandLine.ExitCode.OK;
    }

    /**
     * Waits until the server answers, as the original: a manager that runs as a static pod starts beside its server.
     *
     * @return false if the end was requested first
     */
    private boolean isReached(ManagerClients clients, ClientConfig config) throws InterruptedException {
        boolean isReported = false;
        while (!signal.isAsked()) {
            try {
                return signal.outlasts(() -> ServerConnection.checkReachable(clients.informers(), config));
            } catch (TransportException e) {
                if (!isReported) {
                    print("waiting for the API server: " + e.getMessage());
                    isReported = true;
                }
                signal.await(PAUSE);
            }
        }
        return false;
    }

    /** Starts the controllers, or joins the election. */
    private ControllerManager manager(
            ManagerSettings settings, ManagerClients clients, ManagerStatus status, ControllerOptions options) {
        ControllerManager.Builder manager = ControllerManager.builder(clients.informers())
                .clients(clients::fenced)
                .table(table)
                .controllers(settings.selection())
                .options(options)
                .informers(InformerConfig.DEFAULT
                        .withResyncPeriod(settings.resyncPeriod())
                        .withMetrics(status.informerMetrics())
                        .withTransform(Transforms::stripManagedFields))
                .queues(name -> WorkQueueConfig.named(name).withMetrics(status.queueMetrics()))
                .metrics(status.controllerMetrics())
                .threads(DaemonThreads.factory())
                .startInterval(settings.values().duration("controller-start-interval"))
                .stopTimeout(settings.stopTimeout())
                .listener(new Progress(status, settings.selection().entries()));
        if (settings.leaderElect()) {
            String identity = LeaseLock.uniqueIdentity();
            print("waiting for the lease " + settings.lease() + " as " + identity);
            LeaseDurations durations = settings.leaseDurations();
            manager.lease(settings.lease())
                    .identity(identity)
                    .electionClient(clients.forLeaderElection())
                    .election(config -> config.withDurations(
                                    durations.leaseDuration(), durations.renewDeadline(), durations.retryPeriod())
                            .withMetrics(status.electionMetrics()));
        }
        return manager.start();
    }

    /** Prints the changes of the manager's role. */
    private final class Progress implements ControllerManager.Listener {

        private final ManagerStatus status;
        private final List<String> entries;

        Progress(ManagerStatus status, List<String> entries) {
            this.status = status;
            this.entries = entries;
        }

        @Override
        public void onStarted(ControllerManager manager) {
            status.running(manager);
            print("started " + String.join(", ", manager.controllers()));
            table.descriptors().stream()
                    .filter(controller ->
                            !controller.skipped().isEmpty() && entries.stream().anyMatch(controller::isCalled))
                    .forEach(controller -> print("skipped " + controller.name() + ": " + controller.skipped()));
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

    private void print(String what) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(what);
        out.flush();
    }

    /** Adds the options of the table to the command. */
    static final class Options implements CommandLine.IModelTransformer {

        @Override
        public CommandLine.Model.CommandSpec transform(CommandLine.Model.CommandSpec command) {
            ControllerTable table = ((ControllerManagerCommand) command.userObject()).table;
            String off = table.descriptors().stream()
                    .filter(controller -> !controller.isOnByDefault())
                    .map(ControllerDescriptor::name)
                    .sorted()
                    .collect(Collectors.joining(", "));
            String names =
                    " Names: " + String.join(", ", new TreeSet<>(table.names())) + ". Off by default: " + off + ".";
            OptionTable.ALL.addTo(command, option -> option.name().equals("controllers") ? names : "");
            return command;
        }
    }
}
