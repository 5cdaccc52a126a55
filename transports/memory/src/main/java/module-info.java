/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The API server of this process as a transport: requests reach the server without a socket.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.EmbeddedApiServer}, a server with Kubernetes' own kinds.
 */
module io.kubeloop.transport.memory {
    requires transitive io.kubeloop.apiserver;
    requires transitive io.kubeloop.apiserver.kinds;
    requires static transitive org.jspecify;

    exports io.kubeloop.transport.memory;
}
