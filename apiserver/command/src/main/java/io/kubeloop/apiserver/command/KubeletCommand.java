/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.command.ServerConnection;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.command.UsageException;
import io.kubeloop.command.Verbosity;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.kubelet.SimulatedKubelet;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** {@code kubeloop kubelet} runs the simulated kubelet against any API server. */
@CommandLine.Command(
        name = "kubelet",
        description =
                "Simulates the scheduler and the kubelets of an API server that has none: binds pods to simulated nodes and "
                        + "reports them as running and ready. No container runs. A cluster with a scheduler or real nodes "
                        + "needs --node-prefix.",
        mixinStandardHelpOptions = true)
public final class KubeletCommand implements Callable<Integer> {

    private static final int MAX_NODES = 100;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandLine.Model.CommandSpec spec;

    @CommandLine.Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "",
            description =
                    "Kubeconfig of the API server. Default: the service account of the pod; outside of a pod the files of "
                            + "KUBECONFIG, or ~/.kube/config.")
    private String kubeconfig = "";

    @CommandLine.Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of simulated nodes, 1 to " + MAX_NODES + ". Default: ${DEFAULT-VALUE}.")
    private int nodes;

    @CommandLine.Option(
            names = "--node-prefix",
            paramLabel = "PREFIX",
            defaultValue = "",
            description =
                    "What the names of the nodes begin with, such as sim-. The cluster's scheduler binds pods, and only pods on "
                            + "these nodes are simulated. Default: the nodes are node-1 and so on, and the command binds all pods.")
    private String nodePrefix = "";

    @CommandLine.Mixin
    private final Verbosity verbosity = new Verbosity();

    private final ShutdownSignal signal;

    public KubeletCommand(ShutdownSignal signal) {
        this.signal = signal;
    }

    @Override
    public Integer call() {
        verbosity.apply();
        if (nodes < 1 || nodes > MAX_NODES) {
            throw new UsageException("--nodes must be 1 to " + MAX_NODES + ", got " + nodes);
        }
        ClientConfig config = ServerConnection.config(kubeconfig, "");
        try (KubeClient client = KubeClient.of(OkHttpTransport.create(config), JsonCodec.standard())) {
            if (!signal.outlasts(() -> ServerConnection.checkReachable(client, config))) {
                return CommandLine.ExitCode.OK;
            }
            try (SimulatedKubelet kubelet = SimulatedKubelet.start(
                    client,
                    SimulatedKubelet.Config.DEFAULT
                            .withNodes(nodes)
                            .withNodePrefix(nodePrefix)
                            .withHeartbeat(SimulatedKubelet.Config.HEARTBEAT))) {
                PrintWriter out = spec.commandLine().getOut();
                out.println("simulating " + kubelet + " for " + config.server());
                out.flush();
                signal.await();
            }
        }
        return CommandLine.ExitCode.OK;
    }
}
