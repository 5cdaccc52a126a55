/**
 * Services: their rules, and the addresses and ports that they are given (upstream: {@code pkg/registry/core/service}, and what {@code
 * pkg/apis/core/validation} says of them).
 *
 * <p>Start at {@link io.kubeloop.transport.memory.service.ServiceStrategy}, which is all that the server knows of this package, beside
 * the {@link io.kubeloop.transport.memory.service.ServiceNetwork} that it is told to serve from. {@code ServiceAllocation} takes what
 * one write needs from the {@code ServicePools}, {@code ServiceRules} says what is refused.
 *
 * <p>The pools are shared by all requests; each of them has a lock that is held while a number is looked for, and nothing is called
 * under it. All else is immutable or belongs to the thread that writes.
 */
@NullMarked
package io.kubeloop.transport.memory.service;

import org.jspecify.annotations.NullMarked;
