/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The behavior that is specific to each kind: its defaults, the fields that clients may write, and its validation
 * (upstream: the {@code strategy.go} of each resource in {@code pkg/registry}).
 *
 * <p>Start at {@link io.kubeloop.apiserver.kinds.strategy.Strategies}, the table of all strategies and the only
 * public type. The strategies of services, quotas and limit ranges are in the packages of those kinds. {@link
 * io.kubeloop.apiserver.rest.RestStrategy} documents the methods.
 *
 * <p>The strategies of this package are stateless and may be called from any thread.
 */
@NullMarked
package io.kubeloop.apiserver.kinds.strategy;

import org.jspecify.annotations.NullMarked;
