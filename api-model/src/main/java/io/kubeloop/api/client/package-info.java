/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The contract between programs and an API server. {@link io.kubeloop.api.client.Transport} sends verbs and bytes.
 * {@link io.kubeloop.api.client.KubeClient} offers typed calls over a transport. A reflector uses
 * {@link io.kubeloop.api.client.ListerWatcher}.
 *
 * <p>Threading: transports and clients are thread-safe. One thread reads a stream, and any thread can close it.
 */
@NullMarked
package io.kubeloop.api.client;

import org.jspecify.annotations.NullMarked;
