/* SPDX-License-Identifier: Apache-2.0 */
/**
 * An API server inside this process.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.EmbeddedApiServer}: build a server, use its transport, close it.
 * All types are thread-safe. {@code docs/fidelity.md} lists where the server behaves like kube-apiserver and where
 * it differs.
 */
@NullMarked
package io.kubeloop.transport.memory;

import org.jspecify.annotations.NullMarked;
