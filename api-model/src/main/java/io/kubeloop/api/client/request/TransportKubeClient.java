/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client.request;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.api.client.Transport;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A {@link KubeClient} over a transport and a codec. Thread-safe. */
public final class TransportKubeClient implements KubeClient {

    private final Transport transport;
    private final ObjectCodec codec;

    /** See {@link TransportResourceClient}. */
    private final Set<String> spoken = ConcurrentHashMap.newKeySet();

    public TransportKubeClient(Transport transport, ObjectCodec codec) {
        this.transport = transport;
        this.codec = codec;
    }

    @Override
    public <T extends KubeObject> ResourceClient<T> resource(ResourceType<T> type) {
        return new TransportResourceClient<>(transport, codec, type, spoken);
    }

    @Override
    public Transport transport() {
        return transport;
    }

    @Override
    public KubeClient withTransport(Transport other) {
        return new TransportKubeClient(other, codec);
    }

    @Override
    public void close() {
        transport.close();
    }
}
