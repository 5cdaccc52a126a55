package io.kubeloop.app.server;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.Transport;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.http.HttpApiServer;
import io.kubeloop.transport.memory.kubelet.SimulatedKubelet;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * An embedded API server with its HTTP front end and, optionally, a simulated kubelet. The parts start together and
 * stop in reverse order. Confined to the thread of its command.
 */
public final class EmbeddedControlPlane implements AutoCloseable {

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final EmbeddedApiServer server;
    private final String url;

    private EmbeddedControlPlane(
            HttpApiServer.Config config, EmbeddedApiServer.Builder builder, boolean simulateKubelet) {
        // Clients of an earlier server at this address hold its versions. Versions that start with the clock in
        // milliseconds are newer, unless the earlier server wrote more than a thousand times a second all the time.
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
     * @param config the address, TLS and tokens of the HTTP front end
     * @param garbageCollector whether the server deletes the dependents of deleted owners
     * @param simulateKubelet whether to schedule pods and report them as running
     * @throws java.io.UncheckedIOException if the server cannot listen on the address; nothing keeps running then
     */
    public static EmbeddedControlPlane start(
            HttpApiServer.Config config, boolean garbageCollector, boolean simulateKubelet) {
        return start(config, EmbeddedApiServer.builder().garbageCollector(garbageCollector), simulateKubelet);
    }

    /**
     * Starts the parts, with a server of this builder.
     *
     * @param config the address, TLS and tokens of the HTTP front end
     * @param builder the builder of the server; this method sets its first version
     * @param simulateKubelet whether to schedule pods and report them as running
     */
    public static EmbeddedControlPlane start(
            HttpApiServer.Config config, EmbeddedApiServer.Builder builder, boolean simulateKubelet) {
        return new EmbeddedControlPlane(config, builder, simulateKubelet);
    }

    /** Returns the transport that calls the server without a socket. Closing it is left to this object. */
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
