/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Allocates pod addresses. A released address is allocated again only after all others. Thread-safe. */
final class IpPool {

    private static final int HOSTS = 254;
    private static final int SIZE = 256 * HOSTS;

    private final String prefix;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Set<String> used = new HashSet<>();

    @GuardedBy("lock")
    private int next;

    /**
     * Creates a pool.
     *
     * @param prefix the first two numbers of the addresses, such as {@code 10.244}
     */
    IpPool(String prefix) {
        this.prefix = prefix;
    }

    /** Marks an address as used; addresses outside the pool are ignored. */
    void take(String ip) {
        lock.lock();
        try {
            if (ip.startsWith(prefix + ".")) {
                used.add(ip);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns a free address. */
    String take() {
        lock.lock();
        try {
            for (int i = 0; i < SIZE; i++) {
                String ip = prefix + "." + next / HOSTS + "." + (next % HOSTS + 1);
                next = (next + 1) % SIZE;
                if (used.add(ip)) {
                    return ip;
                }
            }
            throw new IllegalStateException("all " + SIZE + " addresses of " + prefix + ".0.0/16 are in use");
        } finally {
            lock.unlock();
        }
    }

    void release(String ip) {
        lock.lock();
        try {
            used.remove(ip);
        } finally {
            lock.unlock();
        }
    }
}
