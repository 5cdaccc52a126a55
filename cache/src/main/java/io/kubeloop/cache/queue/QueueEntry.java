package io.kubeloop.cache.queue;

import java.util.List;

/** What an {@link InOrderFifo} holds: single changes, and the three things that concern the whole store. */
sealed interface QueueEntry<K, T> permits Delta, QueueEntry.ReplacedAll, QueueEntry.SyncAll, QueueEntry.Bookmark {

    /** A whole list; what it deletes is found by whoever has the store (RF-06). */
    record ReplacedAll<K, T>(List<T> objects, String resourceVersion) implements QueueEntry<K, T> {}

    /** Every stored object is to be shown again (RF-07). */
    record SyncAll<K, T>() implements QueueEntry<K, T> {}

    /** Everything up to this version has been queued (RF-08). */
    record Bookmark<K, T>(String resourceVersion) implements QueueEntry<K, T> {}
}
