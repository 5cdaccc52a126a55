/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The collections that schedulers, queues and caches share: a heap and a hash table that allocate nothing while
 * elements come and go. Not thread-safe: each is guarded by the lock of its owner.
 */
@NullMarked
package io.kubeloop.runtime.collection;

import org.jspecify.annotations.NullMarked;
