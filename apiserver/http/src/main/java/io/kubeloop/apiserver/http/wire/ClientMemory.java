/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bytes that the requests, streams and watches of all clients of the process may hold at a time: a sixth of the
 * heap; and those that computations for them may need, a quarter. A holder that would exceed them gets nothing, and its
 * request is answered with 429 or its connection closed. Thread-safe.
 *
 * <p>Small holders may use all of it, large ones three quarters, so large requests do not stop small ones.
 */
public final class ClientMemory {

    /** The time for which a request waits for memory that others hold. */
    public static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final long LEAST = 8 << 20;
    private static final long SMALL = 64 << 10;

    private static final ClientMemory HELD =
            new ClientMemory(Math.max(LEAST, Runtime.getRuntime().maxMemory() / 6));

    // Not the same, because requests that hold their bodies would wait for each other to compute.
    private static final ClientMemory COMPUTED =
            new ClientMemory(Math.max(LEAST, Runtime.getRuntime().maxMemory() / 4));

    // Guarded by lock: all fields below it. No other lock is taken under it, but for those of the shares, which are
    // always taken first.
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final long most;

    @GuardedBy("lock")
    private long taken;

    ClientMemory(long most) {
        this.most = most;
    }

    /** Returns a share of what clients hold, which holds nothing yet. */
    public static Share share() {
        return new Share(HELD);
    }

    /** Returns a share of what computations need, which holds nothing yet. */
    public static Share computation() {
        return new Share(COMPUTED);
    }

    private boolean take(long bytes, long limit, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (taken + bytes > limit) {
                if (left <= 0) {
                    return false;
                }
                left = released.awaitNanos(left);
            }
            taken += bytes;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void release(long bytes) {
        lock.lock();
        try {
            taken -= bytes;
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }

    long taken() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The bytes of one holder. One thread takes; any thread may close, after which nothing can be taken. Closing twice
     * does nothing.
     */
    public static final class Share implements AutoCloseable {

        private final ClientMemory memory;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private long held;

        @GuardedBy("lock")
        private boolean closed;

        Share(ClientMemory memory) {
            this.memory = memory;
        }

        /** Takes bytes without waiting; returns false, and takes none, if others hold too many. */
        public boolean tryTake(long bytes) {
            return take(bytes, Duration.ZERO);
        }

        /**
         * Takes bytes; returns false, and takes none, if others hold too many for this time. A holder of more than half
         * of the memory counts as one of half. An interrupt ends the wait, and the interrupt flag stays set.
         */
        public boolean take(long bytes, Duration patience) {
            long counted = capped(bytes);
            try {
                if (!memory.take(counted, limit(counted), patience.toNanos())) {
                    return false;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            lock.lock();
            try {
                if (!closed) {
                    held += counted;
                    return true;
                }
            } finally {
                lock.unlock();
            }
            memory.release(counted);
            return false;
        }

        private long limit(long more) {
            lock.lock();
            try {
                return held + more <= SMALL ? memory.most : memory.most / 4 * 3;
            } finally {
                lock.unlock();
            }
        }

        private long capped(long bytes) {
            return Math.min(bytes, memory.most / 2);
        }

        /** Returns bytes that were taken, in a call with the same number. */
        public void give(long bytes) {
            lock.lock();
            try {
                if (closed) {
                    return;
                }
                held -= capped(bytes);
            } finally {
                lock.unlock();
            }
            memory.release(capped(bytes));
        }

        @Override
        public void close() {
            long rest;
            lock.lock();
            try {
                closed = true;
                rest = held;
                held = 0;
            } finally {
                lock.unlock();
            }
            memory.release(rest);
        }
    }
}
