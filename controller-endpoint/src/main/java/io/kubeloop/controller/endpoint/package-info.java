/**
 * From services and pods to Endpoints.
 *
 * <p>Read {@link io.kubeloop.controller.endpoint.EndpointController} first: which change leads to which service's key.
 * {@code EndpointsSync} then says what happens to a key, {@code SubsetPacker} how addresses and ports become subsets.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the controller's workers, one at a time per service (I3).
 */
@NullMarked
package io.kubeloop.controller.endpoint;

import org.jspecify.annotations.NullMarked;
