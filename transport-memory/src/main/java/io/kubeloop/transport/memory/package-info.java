/**
 * An API server in this process.
 *
 * <p>Start at {@link io.kubeloop.transport.memory.EmbeddedApiServer}: it is built, used through its transport, and closed.
 * Everything is thread-safe; {@code docs/fidelity.md} says in what it is like kube-apiserver and in what it is not.
 */
@NullMarked
package io.kubeloop.transport.memory;

import org.jspecify.annotations.NullMarked;
