package io.kubeloop.api.client;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;

/**
 * Typed access to an API server, over any transport. Thread-safe.
 *
 * <p>Closing it closes the transport.
 */
public interface KubeClient extends AutoCloseable {

    /** Returns a client that speaks through the transport. */
    static KubeClient of(Transport transport, ObjectCodec codec) {
        return new TransportKubeClient(transport, codec);
    }

    /** Returns access to one resource. Cheap; need not be kept. */
    <T extends KubeObject> ResourceClient<T> resource(ResourceType<T> type);

    /** Returns the transport, for requests that have no typed form. */
    Transport transport();

    /**
     * Returns a client with this client's codec over another transport, such as a decorated one. This client stays usable;
     * closing either closes only its own transport.
     */
    KubeClient withTransport(Transport transport);

    @Override
    void close();
}
