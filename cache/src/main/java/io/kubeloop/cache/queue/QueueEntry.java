/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import java.util.List;

/** An entry of an {@link RealFifo}: a single change, or one of three entries that concern the whole store. */
sealed interface QueueEntry<K, T> permits Delta, QueueEntry.ReplacedAll, QueueEntry.SyncAll, QueueEntry.Bookmark {

    /** A whole list. The consumer determines which objects it deletes. */
    record ReplacedAll<K, T>(List<T> objects, String resourceVersion) implements QueueEntry<K, T> {}

    /** A resync: every stored object is passed on again. */
    record SyncAll<K, T>() implements QueueEntry<K, T> {}

    /** A bookmark: everything up to this version has been queued. */
    record Bookmark<K, T>(String resourceVersion) implements QueueEntry<K, T> {}
}
