/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

/**
 * The progress of a delta queue through the first list. It determines when the queue is synced, and when to notify the
 * consumer.
 *
 * <p>Guarded by the lock of its queue, except {@link #hasSynced}, which any thread may call, and {@link #announce},
 * which belongs to the consumer's thread.
 */
final class InitialListProgress {

    /*
     * Invariants:
     *   L1  remaining is the number of entries, in process and at the head of the queue, that must be processed before
     *       the first list is complete; 0 before it arrives and after it was processed.
     *   L2  synced is set once: by a change before any list, as there is then no first list to wait for; by an empty
     *       first list of a queue that counts keys; or when remaining drops to 0 after the consumer has returned. If
     *       the consumer throws, that list does not count, and the next list is the first.
     *   L3  announced is set, by the consumer's thread alone, after synced() has returned normally.
     */

    private boolean populated;
    private int remaining;
    private volatile boolean synced;
    private volatile boolean announced;

    /** Records a change that was queued, or rejected because it has no key. Both count as the first change. */
    void change() {
        if (!populated) {
            populated = true;
            synced = true;
        }
    }

    /**
     * Records a queued list. Its last entry has this position, counted from 1 at the oldest entry in process or queued.
     */
    void list(int entries) {
        populated = true;
        if (!synced && remaining == 0) {
            remaining = entries;
            synced = entries == 0;
        }
    }

    /** Returns the number of entries that a batch may hold without crossing the end of the first list. */
    int atMost(int batch) {
        return remaining > 0 ? Math.min(remaining, batch) : batch;
    }

    /** Records that this many entries were processed, or lost because the consumer threw. */
    void done(int entries, boolean handled) {
        if (!handled) {
            remaining = 0;
        } else if (remaining > 0) {
            remaining -= entries;
            synced = remaining == 0;
        }
    }

    boolean isToAnnounce() {
        return synced && !announced;
    }

    /** Calls synced() of the consumer. If it throws, the next pop calls it again. */
    void announce(DeltaConsumer<?, ?> consumer) {
        consumer.synced();
        announced = true;
    }

    boolean hasSynced() {
        return synced;
    }
}
