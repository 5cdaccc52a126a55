/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.garbagecollector;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The owners that the server was found not to have, the last {@link #CAPACITY} of them. A UID is never used again, so
 * an entry stays true (upstream: {@code ReferenceCache}). Thread-safe.
 */
final class AbsentOwners {

    static final int CAPACITY = 500;

    private final ReentrantLock lock = new ReentrantLock();

    /** Least recently used first. */
    @GuardedBy("lock")
    private final Map<ObjectCoordinates, Boolean> entries = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectCoordinates, Boolean> eldest) {
            return size() > CAPACITY;
        }
    };

    void add(ObjectCoordinates owner) {
        lock.lock();
        try {
            entries.put(owner, true);
        } finally {
            lock.unlock();
        }
    }

    boolean contains(ObjectCoordinates owner) {
        lock.lock();
        try {
            return entries.get(owner) != null;
        } finally {
            lock.unlock();
        }
    }
}
