/**
 * Stores of objects by key, with indices.
 *
 * <p>Entry type: {@link io.kubeloop.cache.store.ThreadSafeStore}. Its content is one immutable
 * {@link io.kubeloop.cache.store.StoreState} behind one reference, built from {@link io.kubeloop.cache.store.PersistentMap}s.
 *
 * <p>Threading: stores are thread-safe and have no locks. Transactions and builders are confined to one thread.
 */
@NullMarked
package io.kubeloop.cache.store;

import org.jspecify.annotations.NullMarked;
