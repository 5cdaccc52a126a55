/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controllers of EndpointSlices (upstream: {@code pkg/controller/endpointslice}, {@code
 * pkg/controller/endpointslicemirroring} and the module {@code k8s.io/endpointslice}).
 *
 * <p>Entry types: {@link io.kubeloop.controller.endpointslice.EndpointSliceController} and {@link
 * io.kubeloop.controller.endpointslice.EndpointSliceMirroringController}. A sync computes the desired endpoints in
 * groups of equal ports, and {@code SlicePacker} spreads each group over slices so that few slices change.
 *
 * <p>Threading: handlers run on the informers' threads, syncs on the workers of each controller; the shared parts are
 * thread-safe.
 */
@NullMarked
package io.kubeloop.controller.endpointslice;

import org.jspecify.annotations.NullMarked;
