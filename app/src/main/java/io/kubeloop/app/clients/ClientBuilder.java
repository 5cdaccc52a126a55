package io.kubeloop.app.clients;

import io.kubeloop.api.client.KubeClient;

/**
 * Makes the clients of a manager's parts (upstream: {@code clientbuilder.ControllerClientBuilder}). Thread-safe.
 *
 * <p>Closing it closes every client it made.
 */
public interface ClientBuilder extends AutoCloseable {

    /**
     * Returns the client of one part, such as {@code replicaset-controller}, which the API server sees in the user agent or
     * as an identity of its own. The same name gives the same client.
     */
    KubeClient client(String name);

    @Override
    void close();
}
