/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.Transport;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Creates clients that share one identity. Each client has its own rate limit and connections, so the writes of
 * one component do not delay another (upstream: {@code clientbuilder.SimpleControllerClientBuilder}). Thread-safe.
 */
public final class SharedClientBuilder implements ClientBuilder {

    private final Function<String, Transport> transports;
    private final ObjectCodec codec;
    private final Map<String, KubeClient> clients = new ConcurrentHashMap<>();

    /**
     * Creates a builder.
     *
     * @param transports creates the transport of a component from its name
     * @param codec the codec of all clients
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
