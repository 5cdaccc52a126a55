/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The endpoint controller, which writes the addresses of a service's pods into its Endpoints.
 *
 * <p>Entry type: {@link io.kubeloop.controller.endpoint.EndpointController}. {@code EndpointEventHandlers} queues
 * keys, {@code EndpointsSync} syncs one service, {@code DesiredSubsets} computes its subsets.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the controller's workers, one at a time for each
 * service.
 */
@NullMarked
package io.kubeloop.controller.endpoint;

import org.jspecify.annotations.NullMarked;
