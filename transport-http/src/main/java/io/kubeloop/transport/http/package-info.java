/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A transport to API servers over HTTP.
 *
 * <p>{@link io.kubeloop.transport.http.KubeClients} makes a typed client in one call. In two steps: {@link
 * io.kubeloop.transport.http.Kubeconfigs} loads files, flags and the environment into a {@link
 * io.kubeloop.transport.http.ClientConfig}, and {@link io.kubeloop.transport.http.OkHttpTransport} connects with it.
 * The configuration types follow client-go's {@code tools/clientcmd} and {@code rest.Config}.
 *
 * <p>Threading: configuration is immutable. The transport is thread-safe, and every call blocks its caller.
 */
@NullMarked
package io.kubeloop.transport.http;

import org.jspecify.annotations.NullMarked;
