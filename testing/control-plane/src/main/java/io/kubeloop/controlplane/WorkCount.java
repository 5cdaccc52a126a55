/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.WorkCounter;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The number of units of work that are under way in a control plane. Thread-safe.
 *
 * <p>Work that creates further work counts it before it ends itself. The count is therefore zero only when nothing is
 * under way, and then stays zero until a timer is due or a caller from outside begins something.
 */
final class WorkCount {

    /* Nothing is called under the lock, so callers may hold any lock of theirs. */

    static final String REQUESTS = "requests";
    static final String INFORMERS = "threads of informers";
    static final String TIMERS = "due timers";
    private static final String WATCHES = "watches with unread events";

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Map<String, Integer> counts = new TreeMap<>();

    @GuardedBy("lock")
    private int total;

    /** The busy watches by the thread that opened them. */
    @GuardedBy("lock")
    private final Map<Thread, Integer> watches = new HashMap<>();

    @GuardedBy("lock")
    private int ofWatches;

    /** Returns a counter of the work of one source, such as {@code in queue endpoint}. */
    WorkCounter counter(String source) {
        return new WorkCounter() {
            @Override
            public void begin() {
                WorkCount.this.begin(source);
            }

            @Override
            public void end() {
                WorkCount.this.end(source);
            }
        };
    }

    void begin(String source) {
        lock.lock();
        try {
            add(source, 1);
        } finally {
            lock.unlock();
        }
    }

    void end(String source) {
        lock.lock();
        try {
            add(source, -1);
        } finally {
            lock.unlock();
        }
    }

    /** Counts a busy watch of this thread. */
    void beginWatch(Thread opener) {
        lock.lock();
        try {
            watches.merge(opener, 1, Integer::sum);
            ofWatches++;
            add(WATCHES, 1);
        } finally {
            lock.unlock();
        }
    }

    void endWatch(Thread opener) {
        lock.lock();
        try {
            watches.computeIfPresent(opener, (thread, count) -> count == 1 ? null : Integer.valueOf(count - 1));
            ofWatches--;
            add(WATCHES, -1);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void add(String source, int change) {
        counts.merge(source, change, Integer::sum);
        total += change;
        if (total == ofWatches) {
            changed.signalAll();
        }
    }

    /**
     * Blocks until nothing is under way. Watches that the calling thread has opened do not count, because no other
     * thread reads them.
     *
     * @return false if the time passed first
     */
    boolean awaitQuiet(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (total != watches.getOrDefault(Thread.currentThread(), 0)) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a watch or an informer is busy. */
    boolean hasEvents() {
        lock.lock();
        try {
            return ofWatches > 0 || counts.getOrDefault(INFORMERS, 0) > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what is under way, such as {@code 2 requests, 1 due timers}. */
    String describe() {
        lock.lock();
        try {
            StringJoiner text = new StringJoiner(", ");
            counts.forEach((source, count) -> {
                if (count != 0) {
                    text.add(count + " " + source);
                }
            });
            return text.length() == 0 ? "nothing" : text.toString();
        } finally {
            lock.unlock();
        }
    }
}
