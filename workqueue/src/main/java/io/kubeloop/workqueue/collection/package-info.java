/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The hash table of the queues, {@link io.kubeloop.workqueue.collection.ItemTable}. It releases memory after a burst. Not
 * thread-safe: each table is guarded by the lock of its owner.
 */
@NullMarked
package io.kubeloop.workqueue.collection;

import org.jspecify.annotations.NullMarked;
