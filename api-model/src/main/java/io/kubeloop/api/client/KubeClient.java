/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.request.TransportKubeClient;

/**
 * Typed access to an API server, over any transport. Thread-safe.
 *
 * <p>The client itself does not block. The calls of its {@link ResourceClient}s do; see there for waits and interrupts.
 */
public interface KubeClient extends AutoCloseable {

    /** Returns a client that sends its requests through the transport, and closes the transport with itself. */
    static KubeClient of(Transport transport, ObjectCodec codec) {
        return new TransportKubeClient(transport, codec);
    }

    /** Returns access to one resource. Does not block; callers need not keep the result. */
    <T extends KubeObject> ResourceClient<T> resource(ResourceType<T> type);

    /** Returns the transport, for requests that have no typed form. */
    Transport transport();

    /**
     * Returns a client with this client's codec over another transport, such as a decorated one. This client stays
     * usable. Closing either client closes only its own transport.
     */
    KubeClient withTransport(Transport transport);

    /**
     * Closes the transport, which ends all calls and watches of this client. Blocks as {@link Transport#close()} does.
     * Repeated calls have no effect.
     */
    @Override
    void close();
}
