package io.kubeloop.workqueue.rate;

import io.kubeloop.workqueue.collection.ItemTable;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The number of failures of each item. Thread-safe. A count stays until the caller, or the worker, forgets the item.
 *
 * @param <T> the type of the items
 */
public final class FailureCounts<T> {

    // Under the lock run only equals and hashCode of the items. A ConcurrentHashMap allocates 32 bytes, or 48, for each
    // failure of an item that was forgotten meanwhile; this table none.

    private static final class Count<T> extends ItemTable.Node<T> {
        int failures;
    }

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final ItemTable<T, Count<T>> counts = new ItemTable<>(Count::new);

    /** Counts a failure, and returns the number of failures before it. */
    int countFailure(T item) {
        lock.lock();
        try {
            Count<T> count = counts.get(item);
            if (count == null) {
                count = counts.prepare(item);
                count.failures = 0;
                counts.link(count);
            }
            int before = count.failures;
            count.failures = before == Integer.MAX_VALUE ? before : before + 1;
            return before;
        } finally {
            lock.unlock();
        }
    }

    int count(T item) {
        lock.lock();
        try {
            Count<T> count = counts.get(item);
            return count == null ? 0 : count.failures;
        } finally {
            lock.unlock();
        }
    }

    void forget(T item) {
        lock.lock();
        try {
            Count<T> count = counts.get(item);
            if (count != null) {
                counts.remove(count);
            }
        } finally {
            lock.unlock();
        }
    }
}
