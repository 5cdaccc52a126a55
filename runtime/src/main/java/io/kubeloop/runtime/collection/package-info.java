/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The collection that schedulers and work queues share: {@link io.kubeloop.runtime.collection.IndexedHeap}. Not
 * thread-safe: each heap is guarded by the lock of its owner.
 */
@NullMarked
package io.kubeloop.runtime.collection;

import org.jspecify.annotations.NullMarked;
