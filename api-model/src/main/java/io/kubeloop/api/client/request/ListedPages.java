/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client.request;

import io.kubeloop.api.client.TransportException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The pages of all lists that are being read, in the whole process: at most a third of the heap, because a faulty
 * server may send pages without end. Thread-safe.
 */
final class ListedPages {

    /** What an object takes that a page describes with few bytes. */
    private static final long OF_AN_OBJECT = 512;

    /**
     * From this size of an object on, its page counts twice: a collector with regions, as G1, gives each text of half a
     * region or more whole regions of its own.
     */
    private static final int LARGE_OBJECT = 16 << 10;

    private static final int MOST_LISTS = 1024;

    static final ListedPages PROCESS =
            new ListedPages(Math.max(16 << 20, Runtime.getRuntime().maxMemory() / 3));

    private final long most;

    /** Guards the lists and their sum; held for moments. */
    private final ReentrantLock lock = new ReentrantLock();

    /** The bytes of each list so far, by the request for its next page; the oldest first. Guarded by the lock. */
    private final Map<NextPage, Long> lists = new LinkedHashMap<>();

    /** The sum of the bytes in lists. Guarded by the lock. */
    private long total;

    private record NextPage(Object client, String token) {}

    ListedPages(long most) {
        this.most = most;
    }

    /**
     * Counts a page.
     *
     * @param client reads the list
     * @param token the token of the page; empty for the first one
     * @param next the token of the next page; empty at the end of the list
     * @throws TransportException of kind {@code TOO_LARGE} if there is a next page, and the lists are too large by now
     */
    void count(Object client, String token, String next, long bytes, int objects) {
        lock.lock();
        try {
            long held = bytes >= (long) LARGE_OBJECT * objects ? 2 * bytes : bytes;
            long list = ended(client, token) + held + OF_AN_OBJECT * objects;
            if (next.isEmpty()) {
                return;
            }
            if (total + list > most) {
                throw new TransportException(
                        TransportException.Kind.TOO_LARGE,
                        "Cannot continue a list: its pages are larger than the memory allows, after " + list
                                + " bytes; allow a larger heap (-Xmx), or repair the server",
                        null);
            }
            lists.put(new NextPage(client, next), list);
            total += list;
            if (lists.size() > MOST_LISTS) {
                NextPage oldest = lists.keySet().iterator().next(); // its reader has probably given up
                ended(oldest.client(), oldest.token());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the list that continues with a token, and returns its bytes. */
    long ended(Object client, String token) {
        lock.lock();
        try {
            Long bytes = lists.remove(new NextPage(client, token));
            total -= bytes == null ? 0 : bytes;
            return bytes == null ? 0 : bytes;
        } finally {
            lock.unlock();
        }
    }
}
