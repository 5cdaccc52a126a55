/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Informers and their factory, which connect reflector, queue, store and handlers.
 *
 * <p>Entry types: {@link io.kubeloop.cache.informer.SharedIndexInformer} and
 * {@link io.kubeloop.cache.informer.ClientInformerFactory}, which {@link io.kubeloop.cache.SharedInformers} creates.
 *
 * <p>Threading: thread-safe.
 */
@NullMarked
package io.kubeloop.cache.informer;

import org.jspecify.annotations.NullMarked;
