package io.kubeloop.cache.queue;

/**
 * How far a delta queue is through the first list: when it counts as synced, and whether its consumer knows (RF-14).
 *
 * <p>Guarded by the lock of its queue, but for {@link #hasSynced}, which anybody may ask, and {@link #announce}, which is the
 * consumer's.
 */
final class InitialListProgress {

    /*
     * Invariants:
     *   L1  remaining is the number of entries at the head of what is in process and queued that the first list has to wait
     *       for, itself included; 0 before it comes and after it was processed.
     *   L2  synced is set once: by a change before any list, since then there is no first list to wait for; by a list of
     *       nothing; or by whoever brings remaining to 0, after the consumer has returned. If it throws instead, that list
     *       does not count, and the next one is the first.
     *   L3  announced is set, by the consumer's thread alone, after the consumer was told without throwing.
     */

    private boolean populated;
    private int remaining;
    private volatile boolean synced;
    private volatile boolean announced;

    /** A change was queued, or tried to be: it counts as the first one even if it has no key (RF-04). */
    void change() {
        if (!populated) {
            populated = true;
            synced = true;
        }
    }

    /** A list was queued; so many entries have to be processed before everything up to its end has been. */
    void list(int entries) {
        populated = true;
        if (!synced && remaining == 0) {
            remaining = entries;
            synced = entries == 0;
        }
    }

    /** Returns how many entries a batch may hold: all of it lies on one side of the first list's end. */
    int atMost(int batch) {
        return remaining > 0 ? Math.min(remaining, batch) : batch;
    }

    /** So many entries were processed, or lost if the consumer threw. */
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

    /** Tells the consumer; if it throws, it is told again by the next pop. */
    void announce(DeltaConsumer<?, ?> consumer) {
        consumer.synced();
        announced = true;
    }

    boolean hasSynced() {
        return synced;
    }
}
