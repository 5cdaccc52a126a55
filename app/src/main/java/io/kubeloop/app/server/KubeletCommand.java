package io.kubeloop.app.server;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.app.cli.ShutdownSignal;
import io.kubeloop.app.cli.Verbosity;
import io.kubeloop.app.clients.ServerConnection;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import io.kubeloop.transport.memory.kubelet.SimulatedKubelet;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** {@code kubeloop kubelet}: the simulated kubelet against any API server. */
@CommandLine.Command(
        name = "kubelet",
        description = "Simulates scheduler and kubelet on any API server that has none: binds pods and makes them run, "
                + "without running anything. Not for clusters with real nodes.",
        mixinStandardHelpOptions = true)
public final class KubeletCommand implements Callable<Integer> {

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "",
            description = "How to reach the API server. Default: the pod's service account; outside of a pod "
                    + "KUBECONFIG, or ~/.kube/config.")
    private String kubeconfig = "";

    @CommandLine.Mixin
    private final Verbosity verbosity = new Verbosity();

    private final ShutdownSignal signal;

    public KubeletCommand(ShutdownSignal signal) {
        this.signal = signal;
    }

    @Override
    public Integer call() {
        verbosity.apply();
        ClientConfig config = ServerConnection.config(kubeconfig, "");
        try (KubeClient client = KubeClient.of(OkHttpTransport.create(config), JsonCodec.standard())) {
            if (!signal.outlasts(() -> ServerConnection.checkReachable(client, config))) {
                return CommandLine.ExitCode.OK;
            }
            try (SimulatedKubelet kubelet = SimulatedKubelet.start(client)) {
                PrintWriter out = spec.commandLine().getOut();
                out.println("simulating " + kubelet + " for " + config.server());
                out.flush();
                signal.await();
            }
        }
        return CommandLine.ExitCode.OK;
    }
}
