package io.kubeloop.transport.memory.registry;

import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gives out the addresses of services, 10.96.0.0/16 (upstream: {@code registry/core/service/ipallocator}). Thread-safe.
 *
 * <p>The first addresses are left to the network, to the API server itself (.0.1) and to DNS (.0.10).
 */
final class ClusterIpAllocator {

    // Guarded by lock: taken, next. taken has one bit for each address of the range.

    /** The address of the network, which is no service's. */
    static final String NETWORK = "10.96.0.0";

    private static final String PREFIX = "10.96.";
    private static final String RANGE = NETWORK + "/16";
    private static final int FIRST = 16;
    private static final int LAST = 0xfffe;

    private final ReentrantLock lock = new ReentrantLock();
    private final BitSet taken = new BitSet(LAST + 1);
    private int next = FIRST;

    /**
     * Returns an address that nobody has, going round the range.
     *
     * @return the address, or an empty string if all are taken
     */
    String allocate() {
        lock.lock();
        try {
            int free = taken.nextClearBit(next);
            if (free > LAST) {
                free = taken.nextClearBit(FIRST);
            }
            if (free > LAST) {
                return "";
            }
            taken.set(free);
            next = free == LAST ? FIRST : free + 1;
            return PREFIX + (free >> 8) + "." + (free & 0xff);
        } finally {
            lock.unlock();
        }
    }

    /** Takes an address that was asked for; returns why that cannot be, or an empty string. */
    String take(String address) {
        String problem = rangeProblem(address);
        if (!problem.isEmpty()) {
            return problem;
        }
        int index = index(address);
        lock.lock();
        try {
            if (taken.get(index)) {
                return "provided IP is already allocated";
            }
            taken.set(index);
            return "";
        } finally {
            lock.unlock();
        }
    }

    /** Returns why no service can have the address, or an empty string. */
    static String rangeProblem(String address) {
        int index = index(address);
        if (index < 0) {
            return "the provided network does not match the current range";
        }
        return index == 0 || index > LAST
                ? "the provided IP (" + address + ") is not in the valid range. The range of valid IPs is " + RANGE
                : "";
    }

    /** Gives an address back. */
    void release(String address) {
        int index = index(address);
        lock.lock();
        try {
            if (index >= 0) {
                taken.clear(index);
            }
        } finally {
            lock.unlock();
        }
    }

    private static int index(String address) {
        if (!address.startsWith(PREFIX)) {
            return -1;
        }
        String[] parts = address.substring(PREFIX.length()).split("\\.", -1);
        if (parts.length != 2 || !parts[0].matches("[0-9]{1,3}") || !parts[1].matches("[0-9]{1,3}")) {
            return -1;
        }
        int high = Integer.parseInt(parts[0]);
        int low = Integer.parseInt(parts[1]);
        return high > 255 || low > 255 ? -1 : high << 8 | low;
    }
}
