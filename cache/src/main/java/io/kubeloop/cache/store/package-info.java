/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Stores of objects by key, with indices.
 *
 * <p>Entry type: {@link io.kubeloop.cache.store.ThreadSafeStore}. Its content is a few
 * {@link io.kubeloop.cache.store.FlatTable}s that are written in place, one transaction at a time.
 *
 * <p>Threading: stores are thread-safe. Reads by key take no lock, other reads do in the worst case. Transactions are
 * confined to one thread.
 */
@NullMarked
package io.kubeloop.cache.store;

import org.jspecify.annotations.NullMarked;
