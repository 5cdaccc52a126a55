/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.command.Command;
import io.kubeloop.command.OptionTable;
import io.kubeloop.command.OptionValues;
import io.kubeloop.command.ServerConnection;
import io.kubeloop.command.ShutdownSignal;
import io.kubeloop.command.log.Logs;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.kubelet.SimulatedKubelet;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import java.io.PrintWriter;

/** {@code kubeloop kubelet} runs the simulated kubelet against any API server. */
public final class KubeletCommand implements Command {

    private static final OptionTable OPTIONS = OptionTable.read(KubeletCommand.class.getResourceAsStream("kubelet.tsv"))
            .with(OptionTable.LOG);

    private final ShutdownSignal signal;

    public KubeletCommand(ShutdownSignal signal) {
        this.signal = signal;
    }

    @Override
    public String name() {
        return "kubelet";
    }

    @Override
    public String description() {
        return "Simulates the scheduler and the kubelets of an API server that has none: binds pods to "
                + "simulated nodes and reports them as running and ready. No container runs. A cluster with a "
                + "scheduler or real nodes needs --node-prefix.";
    }

    @Override
    public OptionTable options() {
        return OPTIONS;
    }

    @Override
    public int run(OptionValues values, PrintWriter out, PrintWriter err) {
        Logs.level(values.integer("v"));
        ClientConfig config = ServerConnection.config(values.text("kubeconfig"), "");
        try (KubeClient client = KubeClient.of(OkHttpTransport.create(config), JsonCodec.standard())) {
            if (!signal.outlasts(() -> ServerConnection.checkReachable(client, config))) {
                return 0;
            }
            try (SimulatedKubelet kubelet = SimulatedKubelet.start(
                    client,
                    SimulatedKubelet.Config.DEFAULT
                            .withNodes(values.integer("nodes"))
                            .withNodePrefix(values.text("node-prefix"))
                            .withHeartbeat(SimulatedKubelet.Config.HEARTBEAT))) {
                out.println("simulating " + kubelet + " for " + config.server());
                out.flush();
                signal.await();
            }
        }
        return 0;
    }
}
