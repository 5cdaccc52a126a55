package io.kubeloop.transport.memory.kubelet;

import java.util.HashSet;
import java.util.Set;

/** Addresses for pods: each is given to one pod at a time, and again only when all others were given. Thread-safe. */
final class IpPool {

    /*
     * Everything is guarded by this object's monitor, which is held for a few lookups and never while anything waits.
     */
    private static final int HOSTS = 254;
    private static final int SIZE = 256 * HOSTS;

    private final String prefix;
    private final Set<String> used = new HashSet<>();
    private int next;

    /**
     * Makes a pool.
     *
     * @param prefix the first two numbers, such as {@code 10.244}
     */
    IpPool(String prefix) {
        this.prefix = prefix;
    }

    /** Marks an address as used; others are ignored. */
    synchronized void take(String ip) {
        if (ip.startsWith(prefix + ".")) {
            used.add(ip);
        }
    }

    /** Returns an address that nobody has. */
    synchronized String take() {
        for (int i = 0; i < SIZE; i++) {
            String ip = prefix + "." + next / HOSTS + "." + (next % HOSTS + 1);
            next = (next + 1) % SIZE;
            if (used.add(ip)) {
                return ip;
            }
        }
        throw new IllegalStateException("all " + SIZE + " addresses of " + prefix + ".0.0/16 are in use");
    }

    synchronized void release(String ip) {
        used.remove(ip);
    }
}
