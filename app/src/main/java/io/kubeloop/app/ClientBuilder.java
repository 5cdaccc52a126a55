package io.kubeloop.app;

import io.kubeloop.api.client.KubeClient;
import java.util.Collection;

/**
 * Makes the clients of a manager's parts (upstream: {@code clientbuilder.ControllerClientBuilder}). Thread-safe.
 *
 * <p>Closing it closes every client it made.
 */
interface ClientBuilder extends AutoCloseable {

    /**
     * Returns the client of one part, such as {@code replicaset-controller}, which the API server sees in the user agent or
     * as an identity of its own. The same name gives the same client.
     */
    KubeClient client(String name);

    /** Returns the clients made so far, in no particular order. */
    Collection<KubeClient> made();

    @Override
    void close();
}
