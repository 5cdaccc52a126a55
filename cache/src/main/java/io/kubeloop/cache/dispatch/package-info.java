/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Applies queued changes to the store and delivers them to the handlers.
 *
 * <p>Entry types: {@link io.kubeloop.cache.dispatch.DeltaProcessor} applies changes to the store,
 * {@link io.kubeloop.cache.dispatch.SharedProcessor} passes notifications to each
 * {@link io.kubeloop.cache.dispatch.ProcessorListener}, which calls one handler.
 *
 * <p>Threading: one processing thread per informer and one thread per handler.
 */
@NullMarked
package io.kubeloop.cache.dispatch;

import org.jspecify.annotations.NullMarked;
