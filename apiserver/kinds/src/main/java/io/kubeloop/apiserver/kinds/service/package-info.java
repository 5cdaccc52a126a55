/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Services: their validation, and the allocation of their addresses and ports (upstream: {@code
 * pkg/registry/core/service}, and the service part of {@code pkg/apis/core/validation}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.service.ServiceStrategy}. The rest of the server uses only this
 * type and {@link io.kubeloop.apiserver.kinds.service.ServiceNetwork}, the configuration of the ranges. {@code
 * ServiceAllocation} allocates from the {@code ServicePools} what one write needs; {@code ServiceRules} validates.
 *
 * <p>All requests share the pools. Each allocator has a lock, which it holds while it searches for a free number;
 * no other code runs under it. All other types are immutable or confined to the writing thread.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.service;

import org.jspecify.annotations.NullMarked;
