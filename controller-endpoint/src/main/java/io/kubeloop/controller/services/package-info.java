/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What the controllers of Endpoints and of EndpointSlices share: which services a change of a pod affects, the port
 * that a service reaches in a pod, and the time of the change that causes a write (upstream: {@code
 * k8s.io/endpointslice/util}).
 *
 * <p>Entry type: {@link io.kubeloop.controller.services.PodChange}.
 *
 * <p>Threading: the types are immutable or thread-safe, as each states.
 */
@NullMarked
package io.kubeloop.controller.services;

import org.jspecify.annotations.NullMarked;
