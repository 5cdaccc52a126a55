package io.kubeloop.app.clients;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.Transport;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * One identity for all, one client for each part: a part's rate limit and connections are its own, so that a flood of writes
 * cannot delay a lease's renewal (upstream: {@code clientbuilder.SimpleControllerClientBuilder}). Thread-safe.
 */
public final class SharedClientBuilder implements ClientBuilder {

    private final Function<String, Transport> transports;
    private final ObjectCodec codec;
    private final Map<String, KubeClient> clients = new ConcurrentHashMap<>();

    /**
     * Makes a builder.
     *
     * @param transports makes the transport of a part from its name
     * @param codec shared by all
     */
    public SharedClientBuilder(Function<String, Transport> transports, ObjectCodec codec) {
        this.transports = transports;
        this.codec = codec;
    }

    @Override
    public KubeClient client(String name) {
        return clients.computeIfAbsent(name, key -> KubeClient.of(transports.apply(key), codec));
    }

    @Override
    public void close() {
        clients.values().forEach(KubeClient::close);
    }
}
