/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Allocates the cluster IPs of a range to services (upstream: {@code registry/core/service/ipallocator}).
 * Thread-safe.
 *
 * <p>The first address of a range is the address of the network and is never allocated. The next few addresses are
 * allocated last, because clusters use some of them for the API server and DNS.
 */
final class ClusterIpAllocator {

    private static final BigInteger LOWEST = BigInteger.ONE;
    private static final BigInteger MAX_RESERVED = BigInteger.valueOf(16);

    private final ReentrantLock lock = new ReentrantLock();
    private final ServiceRange range;
    private final BigInteger first;

    /** The offsets of the allocated addresses in the range. */
    @GuardedBy("lock")
    private final Set<BigInteger> taken = new HashSet<>();

    @GuardedBy("lock")
    private BigInteger next;

    ClusterIpAllocator(ServiceRange range) {
        this.range = range;
        first = range.size().divide(MAX_RESERVED).min(MAX_RESERVED).max(LOWEST);
        next = first;
    }

    /** Returns the address of the network, which no service has. */
    String network() {
        return range.address(BigInteger.ZERO);
    }

    /**
     * Allocates a free address, in order around the range. O(n) in the addresses that are allocated in a row.
     *
     * @return the address; empty if the range is full
     */
    String allocate() {
        lock.lock();
        try {
            BigInteger last = range.last();
            BigInteger free = free(next, last);
            if (free.signum() == 0) {
                free = free(first, last);
            }
            if (free.signum() == 0) {
                free = free(LOWEST, first);
            }
            if (free.signum() == 0) {
                return "";
            }
            taken.add(free);
            next = free.add(BigInteger.ONE);
            return range.address(free);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the first free offset between both bounds, inclusive; zero if there is none. */
    @GuardedBy("lock")
    private BigInteger free(BigInteger from, BigInteger to) {
        for (BigInteger at = from; at.compareTo(to) <= 0; at = at.add(BigInteger.ONE)) {
            if (!taken.contains(at)) {
                return at;
            }
        }
        return BigInteger.ZERO;
    }

    /** Allocates a requested address; returns the reason why it is not available, or an empty string. */
    String take(String address) {
        BigInteger offset = range.offset(address);
        if (!isAllocatable(offset)) {
            return "the provided network does not match the current range";
        }
        lock.lock();
        try {
            return taken.add(offset) ? "" : "provided IP is already allocated";
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the reason why the address is outside the range, in the form of a dry run's message; empty if it is
     * inside.
     */
    String rangeProblem(String address) {
        return isAllocatable(range.offset(address))
                ? ""
                : "the provided IP (" + ServiceRange.canonical(address)
                        + ") is not in the valid range. The range of valid IPs is " + range;
    }

    private boolean isAllocatable(BigInteger offset) {
        return offset.signum() > 0 && offset.compareTo(range.last()) <= 0;
    }

    /** Releases an address. */
    void release(String address) {
        lock.lock();
        try {
            taken.remove(range.offset(address));
        } finally {
            lock.unlock();
        }
    }
}
