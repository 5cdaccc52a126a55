package io.kubeloop.transport.memory.service;

import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gives out the ports of services on the nodes, 30000 to 32767 (upstream: {@code registry/core/service/portallocator}).
 * Thread-safe.
 *
 * <p>The first ports are given out last: they are for those who ask for a certain one.
 */
final class NodePortAllocator {

    // Guarded by lock: taken, next. taken has one bit for each port of the range.

    static final int FIRST = 30000;
    static final int LAST = 32767;

    private static final int FIRST_GIVEN_OUT = FIRST + (LAST - FIRST + 1) / 32;

    private final ReentrantLock lock = new ReentrantLock();
    private final BitSet taken = new BitSet(LAST + 1);
    private int next = FIRST_GIVEN_OUT;

    /** Returns a port that nobody has, going round the range; 0 if all are taken. */
    int allocate() {
        lock.lock();
        try {
            int free = taken.nextClearBit(next);
            if (free > LAST) {
                free = taken.nextClearBit(FIRST_GIVEN_OUT);
            }
            if (free > LAST) {
                free = taken.nextClearBit(FIRST);
            }
            if (free > LAST) {
                return 0;
            }
            taken.set(free);
            next = free == LAST ? FIRST_GIVEN_OUT : free + 1;
            return free;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a port that was asked for; returns why that cannot be, or an empty string. */
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

    /** Returns whether somebody has the port. */
    boolean isTaken(long port) {
        lock.lock();
        try {
            return isInRange(port) && taken.get((int) port);
        } finally {
            lock.unlock();
        }
    }

    /** Gives a port back. */
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
