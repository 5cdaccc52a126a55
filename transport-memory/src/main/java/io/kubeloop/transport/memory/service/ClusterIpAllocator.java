package io.kubeloop.transport.memory.service;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gives out the addresses of a range to services (upstream: {@code registry/core/service/ipallocator}). Thread-safe.
 *
 * <p>The first one is the network's. The next ones, of which the API server and DNS have some, are given out last.
 */
final class ClusterIpAllocator {

    // Guarded by lock: taken, next. taken has where in the range the addresses are.

    private static final BigInteger LOWEST = BigInteger.ONE;
    private static final BigInteger KEPT_BACK = BigInteger.valueOf(16);

    private final ReentrantLock lock = new ReentrantLock();
    private final ServiceRange range;
    private final BigInteger first;
    private final Set<BigInteger> taken = new HashSet<>();
    private BigInteger next;

    ClusterIpAllocator(ServiceRange range) {
        this.range = range;
        first = range.size().divide(KEPT_BACK).min(KEPT_BACK).max(LOWEST);
        next = first;
    }

    /** Returns the address of the network, which is no service's. */
    String network() {
        return range.address(BigInteger.ZERO);
    }

    /**
     * Returns an address that nobody has, going round the range.
     *
     * @return the address, or an empty string if all are taken
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

    /** Returns the first that is free, both bounds included; zero if there is none. */
    private BigInteger free(BigInteger from, BigInteger to) {
        for (BigInteger at = from; at.compareTo(to) <= 0; at = at.add(BigInteger.ONE)) {
            if (!taken.contains(at)) {
                return at;
            }
        }
        return BigInteger.ZERO;
    }

    /** Takes an address that was asked for; returns why that cannot be, or an empty string. */
    String take(String address) {
        BigInteger offset = range.offset(address);
        if (!isGivenOut(offset)) {
            return "the provided network does not match the current range";
        }
        lock.lock();
        try {
            return taken.add(offset) ? "" : "provided IP is already allocated";
        } finally {
            lock.unlock();
        }
    }

    /** Returns why no service can have the address, in the words of a dry run, or an empty string. */
    String rangeProblem(String address) {
        return isGivenOut(range.offset(address))
                ? ""
                : "the provided IP (" + ServiceRange.canonical(address)
                        + ") is not in the valid range. The range of valid IPs is " + range;
    }

    private boolean isGivenOut(BigInteger offset) {
        return offset.signum() > 0 && offset.compareTo(range.last()) <= 0;
    }

    /** Gives an address back. */
    void release(String address) {
        lock.lock();
        try {
            taken.remove(range.offset(address));
        } finally {
            lock.unlock();
        }
    }
}
