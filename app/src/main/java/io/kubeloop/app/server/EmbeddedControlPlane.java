package io.kubeloop.app.server;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.app.cli.FailureException;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.http.HttpApiServer;
import io.kubeloop.transport.memory.kubelet.SimulatedKubelet;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * An embedded API server, its HTTP front end and, if asked for, a simulated kubelet: started together, stopped in the opposite
 * order. Confined to the thread of its command.
 */
public final class EmbeddedControlPlane implements AutoCloseable {

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final EmbeddedApiServer server;
    private final String url;

    private EmbeddedControlPlane(
            HttpApiServer.Config config, EmbeddedApiServer.Builder builder, boolean simulateKubelet) {
        // Who watched the server that was at this address before has versions of that one. By a clock of
        // milliseconds they are behind, unless that server wrote more than a thousand times a second for as long as
        // it ran.
        server = builder.firstVersion(Math.max(1, Clock.systemUTC().millis())).build();
        parts.push(server);
        try {
            HttpApiServer httpServer = HttpApiServer.start(server.transport(), config);
            parts.push(httpServer);
            url = httpServer.uri().toString();
            if (simulateKubelet) {
                parts.push(SimulatedKubelet.start(KubeClient.of(server.transport(), JsonCodec.standard())));
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /**
     * Starts the parts.
     *
     * @param config how to serve
     * @param garbageCollector whether dependents of deleted owners are collected
     * @param simulateKubelet whether pods are scheduled and run
     * @throws FailureException if the port cannot be had; nothing is left running then
     */
    public static EmbeddedControlPlane start(
            HttpApiServer.Config config, boolean garbageCollector, boolean simulateKubelet) {
        return start(config, EmbeddedApiServer.builder().garbageCollector(garbageCollector), simulateKubelet);
    }

    /**
     * Starts the parts.
     *
     * @param builder of the server; the version that it begins with is set here
     */
    public static EmbeddedControlPlane start(
            HttpApiServer.Config config, EmbeddedApiServer.Builder builder, boolean simulateKubelet) {
        return new EmbeddedControlPlane(config, builder, simulateKubelet);
    }

    /** Returns the way in without a socket. */
    public Transport transport() {
        return server.transport();
    }

    /** Returns the URL of the HTTP front end. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        RuntimeException first = null;
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception e) {
                RuntimeException failure = e instanceof RuntimeException r ? r : new IllegalStateException(e);
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
