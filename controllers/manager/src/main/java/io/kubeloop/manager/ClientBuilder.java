/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import io.kubeloop.api.client.KubeClient;

/**
 * Creates one client per component of a controller manager (upstream: {@code clientbuilder.ControllerClientBuilder}).
 * Thread-safe.
 *
 * <p>Closing it closes every client that it created.
 */
public interface ClientBuilder extends AutoCloseable {

    /**
     * Returns the client of a component. The same name returns the same client.
     *
     * @param name such as {@code replicaset-controller}; the API server receives it in the user agent or as the
     *     identity
     */
    KubeClient client(String name);

    @Override
    void close();
}
