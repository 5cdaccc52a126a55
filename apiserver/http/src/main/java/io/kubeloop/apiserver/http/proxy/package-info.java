/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Relays requests to other HTTP servers: kubelets, pods, services and aggregated API servers.
 *
 * <p>Start at {@link io.kubeloop.apiserver.http.proxy.BackendProxy}. The thread of the client's connection relays; an
 * upgraded connection has one more thread for the bytes of the client.
 */
@NullMarked
package io.kubeloop.apiserver.http.proxy;

import org.jspecify.annotations.NullMarked;
