/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Informers: local, indexed copies of a server's resources, and handlers that receive their changes.
 *
 * <p>Entry types: {@link io.kubeloop.cache.SharedInformers} makes a {@link io.kubeloop.cache.SharedInformerFactory},
 * which returns one {@link io.kubeloop.cache.SharedInformer} per resource. {@link io.kubeloop.cache.Indexer} and
 * {@link io.kubeloop.cache.Store} are stores that work without an informer.
 *
 * <p>Threading: an informer has one thread that reads from the server, one that writes the store, and one per handler.
 * Each class states which thread calls it; {@code docs/concurrency.md} lists all threads and locks.
 */
@NullMarked
package io.kubeloop.cache;

import org.jspecify.annotations.NullMarked;
