/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Allocates the node ports of services, 30000 to 32767 (upstream: {@code registry/core/service/portallocator}).
 * Thread-safe.
 *
 * <p>The first ports of the range are allocated last, because users request them by number.
 */
final class NodePortAllocator {

    static final int FIRST = 30000;
    static final int LAST = 32767;

    private static final int FIRST_DYNAMIC = FIRST + (LAST - FIRST + 1) / 32;

    private final ReentrantLock lock = new ReentrantLock();

    /** One bit for each port. */
    @GuardedBy("lock")
    private final BitSet taken = new BitSet(LAST + 1);

    @GuardedBy("lock")
    private int next = FIRST_DYNAMIC;

    /** Allocates a free port, in order around the range; returns 0 if the range is full. */
    int allocate() {
        lock.lock();
        try {
            int free = taken.nextClearBit(next);
            if (free > LAST) {
                free = taken.nextClearBit(FIRST_DYNAMIC);
            }
            if (free > LAST) {
                free = taken.nextClearBit(FIRST);
            }
            if (free > LAST) {
                return 0;
            }
            taken.set(free);
            next = free == LAST ? FIRST_DYNAMIC : free + 1;
            return free;
        } finally {
            lock.unlock();
        }
    }

    /** Allocates a requested port; returns the reason why it is not available, or an empty string. */
    String take(long port) {
        if (!isInRange(port)) {
            return "provided port is not in the valid range. The range of valid ports is " + FIRST + "-" + LAST;
        }
        lock.lock();
        try {
            if (taken.get((int) port)) {
                return "provided port is already allocated";
            }
            taken.set((int) port);
            return "";
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the port is allocated. */
    boolean isTaken(long port) {
        lock.lock();
        try {
            return isInRange(port) && taken.get((int) port);
        } finally {
            lock.unlock();
        }
    }

    /** Releases a port. */
    void release(long port) {
        lock.lock();
        try {
            if (isInRange(port)) {
                taken.clear((int) port);
            }
        } finally {
            lock.unlock();
        }
    }

    private static boolean isInRange(long port) {
        return port >= FIRST && port <= LAST;
    }
}
