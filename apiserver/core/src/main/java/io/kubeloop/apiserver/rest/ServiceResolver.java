/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Finds the servers behind services, to which the API server itself connects: webhooks and aggregated APIs.
 * Thread-safe; does not block.
 */
public interface ServiceResolver {

    /** The resolver of a server without services. */
    ServiceResolver NONE = new ServiceResolver() {

        @Override
        public InetSocketAddress resolve(String namespace, String name, int port) throws IOException {
            throw new IOException("this server has no services");
        }

        @Override
        public @Nullable Problem problem(String namespace, String name, int port) {
            return new Problem("ServiceNotFound", "this server has no services");
        }

        @Override
        public void onChange(Runnable listener) {}
    };

    /**
     * Why no server is behind a service.
     *
     * @param reason the reason of the condition {@code Available} of an {@code APIService}
     * @param message its message
     */
    record Problem(String reason, String message) {}

    /**
     * Returns an address behind a service; its host is not looked up yet. Different calls may return different ones.
     *
     * @param port the port of the service
     * @throws IOException if there is none; the message is upstream's
     */
    InetSocketAddress resolve(String namespace, String name, int port) throws IOException;

    /** Returns why no server is behind a service; null if there seems to be one. */
    @Nullable
    Problem problem(String namespace, String name, int port);

    /** Adds a callback for changes of services and their endpoints, on the thread of the change. It must not block. */
    void onChange(Runnable listener);
}
