/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The controller that gives each node address ranges for its pods (upstream: {@code pkg/controller/nodeipam}, the range
 * allocator).
 *
 * <p>Entry type: {@link io.kubeloop.controller.nodeipam.NodeIpamController}. {@code CidrPool} hands out the parts of a
 * range of addresses.
 *
 * <p>Threading: the handler runs on the informer's thread, syncs on the workers. They share the pools, which are
 * thread-safe.
 */
@NullMarked
package io.kubeloop.controller.nodeipam;

import org.jspecify.annotations.NullMarked;
