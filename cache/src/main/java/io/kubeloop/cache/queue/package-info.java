/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The queues between a reflector and the thread that updates the store.
 *
 * <p>Entry type: {@link io.kubeloop.cache.queue.DeltaQueue}, with two implementations:
 * {@link io.kubeloop.cache.queue.RealFifo} (the default) and {@link io.kubeloop.cache.queue.DeltaFifo}.
 *
 * <p>Threading: any number of producers, one consumer, one lock per queue.
 */
@NullMarked
package io.kubeloop.cache.queue;

import org.jspecify.annotations.NullMarked;
