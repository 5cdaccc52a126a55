/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A whole control plane in one object: the API server, its HTTP front end, the controllers that delete objects, and a
 * simulated kubelet.
 *
 * <p>Start at {@link io.kubeloop.controlplane.ControlPlane}, which is thread-safe.
 */
@NullMarked
package io.kubeloop.controlplane;

import org.jspecify.annotations.NullMarked;
