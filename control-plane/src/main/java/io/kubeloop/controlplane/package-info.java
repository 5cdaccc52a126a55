/**
 * A whole control plane in one object: the API server, its HTTP face, the follow-up of its missing controllers and a
 * simulated kubelet.
 *
 * <p>Start at {@link io.kubeloop.controlplane.ControlPlane}, which is thread-safe. The package {@code collector} holds
 * the work of controllers that do not exist here yet: garbage collection, namespace content and quota usage.
 */
@NullMarked
package io.kubeloop.controlplane;

import org.jspecify.annotations.NullMarked;
