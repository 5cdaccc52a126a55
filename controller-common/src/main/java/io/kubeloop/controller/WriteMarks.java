/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.CacheProgress;
import io.kubeloop.cache.ResourceVersions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** The writes of one resource that its cache may not show yet, by owner. Thread-safe; does not block. */
final class WriteMarks {

    /** See {@link WriteBarrier#PATIENCE}. */
    static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * The longest wait for objects that a sync reads from the cache only: longer than any watch lives. A sync that
     * combined an outdated owner with current children would count a child twice.
     */
    private static final Duration LONGEST_WATCH = Duration.ofHours(1);

    /*
     * Invariants
     *   B1  While check returns anything but BEHIND for an owner, its cache has processed every write, or the owner is
     *       in doubt. The children of an owner in doubt are read from the server.
     *   B2  An owner is in doubt from a write with an unknown outcome until a list made after it equals the cache, or
     *       the cache has processed the version of that list.
     *   B3  An owner that is put off for a version is queued again: by its own call of whenObserved, or by that of an
     *       earlier check for the same version, which has not run yet: when it runs, the version counts as processed.
     * Called by the thread that syncs the owner, by those that write for it, and by the one that fills the cache. The
     * lock is held for moments, also while the cache is read, which takes no lock.
     */

    /** What the controller wrote for one owner. */
    private static final class Mark {

        /** The highest version that the cache has not processed; empty if it has processed all. */
        String version = "";

        /** The version for which the cache will queue the key again; empty if there is none. */
        String awaited = "";

        /** For each deleted or missing object, by UID: a check whether the cache still shows its old state. */
        final Map<String, BooleanSupplier> endings = new HashMap<>();

        Instant written = Instant.MIN;
        boolean isInDoubt;

        /** The version of the last list of an owner in doubt; empty if they were not listed since the doubt. */
        String listed = "";

        boolean hasWrites() {
            return !version.isEmpty() || !endings.isEmpty();
        }

        void doubt() {
            isInDoubt = true;
            listed = "";
        }
    }

    private final CacheProgress cache;
    private final Clock clock;
    private final boolean canBeListed;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<ObjectName, Mark> marks = new HashMap<>();

    /**
     * Creates an empty record.
     *
     * @param canBeListed whether syncs read the objects from the server while the owner is in doubt
     */
    WriteMarks(CacheProgress cache, Clock clock, boolean canBeListed) {
        this.cache = cache;
        this.clock = clock;
        this.canBeListed = canBeListed;
    }

    /** Records a write. The version of a server without comparable versions leaves the owner in doubt. */
    void wrote(ObjectName owner, String version) {
        lock.lock();
        try {
            Mark mark = written(owner);
            if (!ResourceVersions.isVersion(version)) {
                mark.isInDoubt = canBeListed;
                mark.listed = "";
            } else if (mark.version.isEmpty() || ResourceVersions.isNewer(version, mark.version)) {
                mark.version = version;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Records that a cached object was deleted, or that the server does not have it. The server returns no version
     * then.
     *
     * @param isShown whether the cache still shows the object as it was
     */
    void ended(ObjectName owner, String uid, BooleanSupplier isShown) {
        lock.lock();
        try {
            written(owner).endings.put(uid, isShown);
        } finally {
            lock.unlock();
        }
    }

    /** Records a write whose outcome is unknown. */
    void doubt(ObjectName owner) {
        lock.lock();
        try {
            written(owner).doubt();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Mark written(ObjectName owner) {
        Mark mark = marks.computeIfAbsent(owner, key -> new Mark());
        mark.written = clock.instant();
        return mark;
    }

    /** Returns whether the children of the owner must be read from the server. */
    boolean isInDoubt(ObjectName owner) {
        lock.lock();
        try {
            Mark mark = marks.get(owner);
            return mark != null && mark.isInDoubt;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Records that the children were read from the server.
     *
     * @param version the version of the list
     * @param equalsCache whether the cache has the same children
     */
    void listed(ObjectName owner, String version, boolean equalsCache) {
        lock.lock();
        try {
            Mark mark = marks.get(owner);
            if (mark != null) {
                mark.listed = version;
                mark.isInDoubt = !equalsCache;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Compares the cache with the writes of the owner; see {@link WriteBarrier#check}. */
    OwnWrites check(ObjectName owner, Runnable again) {
        String behind;
        lock.lock();
        try {
            Mark mark = marks.get(owner);
            if (mark == null) {
                return OwnWrites.CLEAR;
            }
            compare(mark);
            if (mark.isInDoubt) {
                return OwnWrites.CAUGHT_UP;
            }
            if (!mark.hasWrites()) {
                marks.remove(owner);
                return OwnWrites.CAUGHT_UP;
            }
            // The end of an object brings an event, which queues the owner.
            behind = mark.version.equals(mark.awaited) ? "" : mark.version;
            mark.awaited = mark.version;
        } finally {
            lock.unlock();
        }
        if (!behind.isEmpty()) {
            cache.whenObserved(behind, () -> {
                reached(owner, behind);
                again.run();
            });
        }
        return OwnWrites.BEHIND;
    }

    /**
     * Records that the cache has reached a version, because the cache may be unable to name its version at the next
     * check.
     */
    private void reached(ObjectName owner, String version) {
        lock.lock();
        try {
            Mark mark = marks.get(owner);
            if (mark != null && mark.version.equals(version)) {
                mark.version = "";
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void compare(Mark mark) {
        if (cache.hasObserved(mark.version)) {
            mark.version = "";
        }
        if (mark.isInDoubt && cache.hasObserved(mark.listed)) {
            mark.isInDoubt = false;
        }
        if (mark.version.isEmpty() && !mark.isInDoubt) {
            // Not before: a cache that is behind may not show the object yet, and show it later as it was.
            mark.endings.values().removeIf(isShown -> !isShown.getAsBoolean());
        }
        Duration patience = canBeListed ? PATIENCE : LONGEST_WATCH;
        boolean isLate = !clock.instant().isBefore(mark.written.plus(patience));
        if (mark.hasWrites() && isLate) {
            mark.version = "";
            mark.endings.clear();
            if (canBeListed) {
                mark.doubt();
            }
        }
    }

    /** Drops the records of an owner. */
    void forget(ObjectName owner) {
        lock.lock();
        try {
            marks.remove(owner);
        } finally {
            lock.unlock();
        }
    }
}
