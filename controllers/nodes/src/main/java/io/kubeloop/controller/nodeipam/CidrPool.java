/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodeipam;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.value.CidrRange;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a cluster's range that nodes may get, all of the same size (upstream: {@code cidrset.CidrSet}).
 * Thread-safe; does not block.
 */
final class CidrPool {

    /* Invariant: a set bit is a part that a node has, or that is kept free. */

    /** At most 2^16 parts, as upstream. */
    private static final int MOST_BITS = 16;

    private final CidrRange cluster;
    private final int nodePrefix;
    private final int size;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final BitSet used = new BitSet();

    @GuardedBy("lock")
    private int next;

    /**
     * Creates a pool without used parts.
     *
     * @param nodePrefix the length of a part's prefix
     * @throws IllegalArgumentException if the parts are larger than the range, or too many
     */
    CidrPool(CidrRange cluster, int nodePrefix) {
        if (nodePrefix < cluster.prefix()) {
            throw new IllegalArgumentException(
                    "the cluster CIDR " + cluster + " is smaller than a node's /" + nodePrefix);
        }
        if (nodePrefix - cluster.prefix() > MOST_BITS) {
            throw new IllegalArgumentException(
                    "New CIDR set failed; the node CIDR size is too big: /" + nodePrefix + " of " + cluster);
        }
        this.cluster = cluster;
        this.nodePrefix = nodePrefix;
        size = 1 << (nodePrefix - cluster.prefix());
    }

    CidrRange cluster() {
        return cluster;
    }

    /** Takes the next free part after the one that was taken last; null if there is none. O(parts). */
    @Nullable
    CidrRange take() {
        lock.lock();
        try {
            for (int tried = 0; tried < size; tried++) {
                int index = (next + tried) % size;
                if (!used.get(index)) {
                    used.set(index);
                    next = (index + 1) % size;
                    return cluster.part(index, nodePrefix);
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Marks the parts that a range touches as used.
     *
     * @throws IllegalArgumentException if no part does
     */
    void occupy(CidrRange range) {
        lock.lock();
        try {
            if (!cluster.overlaps(range)) {
                throw new IllegalArgumentException("cidr " + range + " is out the range of cluster cidr " + cluster);
            }
            used.set(firstPart(range), lastPart(range) + 1);
        } finally {
            lock.unlock();
        }
    }

    /** Marks the parts that a range touches as free. */
    void release(CidrRange range) {
        lock.lock();
        try {
            if (cluster.overlaps(range)) {
                used.clear(firstPart(range), lastPart(range) + 1);
            }
        } finally {
            lock.unlock();
        }
    }

    private int firstPart(CidrRange range) {
        return range.prefix() <= cluster.prefix() ? 0 : part(range);
    }

    private int lastPart(CidrRange range) {
        if (range.prefix() <= cluster.prefix()) {
            return size - 1;
        }
        return part(range) + (range.prefix() >= nodePrefix ? 0 : (1 << (nodePrefix - range.prefix())) - 1);
    }

    private int part(CidrRange range) {
        return range.first()
                .subtract(cluster.first())
                .shiftRight(cluster.bits() - nodePrefix)
                .intValueExact();
    }
}
