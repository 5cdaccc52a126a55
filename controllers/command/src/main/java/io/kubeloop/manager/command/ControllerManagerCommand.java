/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.command.Command;
import io.kubeloop.command.CommandException;
import io.kubeloop.command.OptionTable;
import io.kubeloop.command.OptionValues;
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
import java.util.stream.Collectors;

/**
 * {@code kubeloop controller-manager} runs the controllers against any API server. Of several managers, the leader
 * acts.
 *
 * <p>The process reads flags and kubeconfig, waits until the server answers, waits for the lease, and runs the
 * controllers. On SIGTERM it stops the controllers, releases the lease and exits with 0. When it loses the lease, it
 * stops writing at once and exits with 1, because its caches may be out of date.
 */
public final class ControllerManagerCommand implements Command {

    /** The options of kube-controller-manager, and a few of this manager's own. */
    static final OptionTable OPTIONS =
            OptionTable.read(ControllerManagerCommand.class.getResourceAsStream("options.tsv"));

    /** The time between two attempts to reach the server. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

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
    public String name() {
        return "controller-manager";
    }

    @Override
    public String description() {
        return "Runs the controllers of Kubernetes against an API server.";
    }

    /** Returns the table; the description of {@code --controllers} has the names. */
    @Override
    public OptionTable options() {
        String off = table.descriptors().stream()
                .filter(controller -> !controller.isOnByDefault())
                .map(ControllerDescriptor::name)
                .sorted()
                .collect(Collectors.joining(", "));
        String names = " Names: " + String.join(", ", new TreeSet<>(table.names())) + ". Off by default: " + off + ".";
        return OPTIONS.describe(
                option -> option.name().equals("controllers") ? option.describedFurther(names) : option);
    }

    @Override
    public int run(OptionValues values, PrintWriter out, PrintWriter err) throws InterruptedException {
        ManagerSettings settings = ManagerSettings.of(values, table);
        LogOptions.apply(values);
        signal.patience(settings.stopTimeout());
        values.withoutEffect().forEach(err::println);
        FeatureGates.withoutEffect(values).forEach(err::println);
        ClientConfig config = ServerConnection.config(values.text("kubeconfig"), values.text("master"));
        ControllerOptions options = settings.controllerOptions(config.tls());
        try (ManagerStatus status = ManagerStatus.start(settings, observers);
                ManagerClients clients =
                        new ManagerClients(config, settings, status.requestMetrics(), status::observe)) {
            URI page = status.livePage();
            if (page != null) {
                print(out, "live page at " + page);
            }
            if (!isReached(clients, config, out)) {
                return 0;
            }
            status.lookUpAuthorities();
            try (ManagerTerms terms = new ManagerTerms(settings, table, status, options, line -> print(out, line))) {
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
        return 0;
    }

    /**
     * Waits until the server answers, as the original: a manager that runs as a static pod starts beside its server.
     *
     * @return false if the end was requested first
     */
    private boolean isReached(ManagerClients clients, ClientConfig config, PrintWriter out)
            throws InterruptedException {
        boolean isReported = false;
        while (!signal.isAsked()) {
            try {
                return signal.outlasts(() -> ServerConnection.checkReachable(clients.informers(), config));
            } catch (TransportException e) {
                if (!isReported) {
                    print(out, "waiting for the API server: " + e.getMessage());
                    isReported = true;
                }
                signal.await(PAUSE);
            }
        }
        return false;
    }

    private static void print(PrintWriter out, String what) {
        out.println(what);
        out.flush();
    }
}
