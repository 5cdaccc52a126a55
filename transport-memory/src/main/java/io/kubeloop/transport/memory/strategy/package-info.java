/**
 * What is special about each kind: its defaults, what a client may write where, which rules it has (upstream: the {@code strategy.go} of
 * each resource in {@code pkg/registry}).
 *
 * <p>Start at {@link io.kubeloop.transport.memory.strategy.Strategies}, which has them all and is all that others see; those of services,
 * quotas and limit ranges are in packages of their own. What a strategy can say is in {@link
 * io.kubeloop.transport.memory.machinery.RestStrategy}.
 *
 * <p>The strategies here have no state and may be called from any thread.
 */
@NullMarked
package io.kubeloop.transport.memory.strategy;

import org.jspecify.annotations.NullMarked;
