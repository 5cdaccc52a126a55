/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The client over a transport: the requests that it sends, and what it makes of the responses.
 *
 * <p>Entry type: {@link io.kubeloop.api.client.request.TransportKubeClient}, which {@code KubeClient.of} creates.
 *
 * <p>Threading: thread-safe; each call blocks until the server responds.
 */
@NullMarked
package io.kubeloop.api.client.request;

import org.jspecify.annotations.NullMarked;
