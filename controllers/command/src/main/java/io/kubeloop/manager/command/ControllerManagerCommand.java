/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.ServerConnection;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.manager.ControllerDescriptor;
import io.kubeloop.manager.ControllerOptions;
import io.kubeloop.manager.ControllerTable;
import io.kubeloop.transport.http.ClientConfig;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
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
    private final ManagerObserver.Factory observers;

    /**
     * Creates the command.
     *
     * @param signal ends the command
     * @param table can have more controllers than Kubernetes
     * @param observers makes the observer of the manager
     */
    public ControllerManagerCommand(ShutdownSignal signal, ControllerTable table, ManagerObserver.Factory observers) {
        this.signal = signal;
        this.table = table;
        this.observers = observers;
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
        try (ManagerStatus status = ManagerStatus.start(settings, observers);
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
            try (ManagerTerms terms = new ManagerTerms(settings, table, status, options, this::print)) {
                terms.start(
                        clients, () -> new ManagerClients(config, settings, status.requestMetrics(), status::observe));
                signal.onAsked(terms::requestEnd);
                terms.awaitEnd();
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
