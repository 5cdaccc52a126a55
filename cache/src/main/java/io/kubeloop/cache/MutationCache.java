/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.informer.SharedIndexInformer;
import io.kubeloop.runtime.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Shows a controller its own writes before the watch delivers them: an overlay of written objects over an informer's
 * store (upstream: {@code cache.MutationCache}).
 *
 * <pre>{@code
 * MutationCache<Pod> mutations = MutationCache.over(informer, true);
 * Pod written = pods.update(pod);
 * mutations.mutation(written);        // from here on, a read returns this state or a newer one
 * }</pre>
 *
 * <p>A read returns the state with the greater resource version. An overlay entry is dropped when the store has the
 * same or a newer state, when its time to live has passed, or when the overlay is full. The cache is also a handler of
 * the informer: it receives deletions, and does not return deleted objects.
 *
 * <p>Thread-safe. No method blocks, except for a short lock.
 *
 * @param <T> the type of the objects
 */
public final class MutationCache<T extends KubeObject> implements ResourceEventHandler<T> {

    /*
     * Invariants:
     *   M1  overlay holds the maxEntries most recently used entries. gone is a separate map with the same limit, so
     *       that deletions of unrelated objects cannot evict written states.
     *   M2  An entry is dropped after the store was found to be at least as new, and store and overlay are read under
     *       one lock. So a thread that has read a state never reads an older one later. Exceptions: an entry that M1
     *       evicts, and one whose time to live has passed.
     *   M3  An observed deletion leaves its UID in gone: a write of that object that is reported later is ignored.
     *
     * The store is read under the lock and must not block; the stores of informers do not.
     * Index functions are user code and run without the lock. Any thread may call any method; the handler's thread
     * calls the handler methods.
     */

    /** Default maximum number of objects in the overlay. */
    public static final int DEFAULT_MAX_ENTRIES = 100;

    /** Default time for which the overlay holds an object. */
    public static final Duration DEFAULT_TTL = Duration.ofMinutes(5);

    /** A written state, and the time of its write. */
    private record Mutation<T>(T object, long at) {}

    private final Indexer<ObjectName, T> store;
    private final boolean includeAdds;
    private final long ttlNanos;
    private final LongSupplier nanoTime;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<ObjectName, Mutation<T>> overlay;

    /** When each object, by UID, was seen deleted. */
    @GuardedBy("lock")
    private final Map<String, Long> gone;

    /**
     * Makes a cache with the default limits over an informer's store, and adds it to the informer as a handler.
     *
     * @param informer an informer of this library
     * @param includeAdds whether a read returns a written object that the store does not have yet, see the
     *     {@linkplain #MutationCache(Indexer, boolean) constructor}
     * @throws IllegalArgumentException if another library implements the informer
     * @throws IllegalStateException if the informer is closed
     */
    public static <T extends KubeObject> MutationCache<T> over(SharedInformer<T> informer, boolean includeAdds) {
        if (!(informer instanceof SharedIndexInformer<T> own)) {
            throw new IllegalArgumentException(
                    "cannot read the store of " + informer.getClass() + ": not an informer of this library");
        }
        MutationCache<T> cache = new MutationCache<>(own.store(), includeAdds);
        informer.addHandler(cache, Duration.ZERO);
        return cache;
    }

    /**
     * Makes a cache with the default limits, on the machine's monotonic clock.
     *
     * @param store the store of an informer; its methods must not block
     * @param includeAdds whether a read returns a written object that the store does not have yet. Use true for objects
     *     that this process creates. Use false if such objects may be deleted before the informer receives them,
     *     because then only the time limit would drop them
     */
    public MutationCache(Indexer<ObjectName, T> store, boolean includeAdds) {
        this(store, includeAdds, DEFAULT_TTL, DEFAULT_MAX_ENTRIES, System::nanoTime);
    }

    /**
     * Makes a cache.
     *
     * @param store the store of an informer; its methods must not block
     * @param includeAdds whether a read returns a written object that the store does not have yet
     * @param ttl how long a written state may be returned; positive
     * @param maxEntries maximum number of objects in the overlay, at least 1; the least recently used are evicted
     * @param nanoTime a monotonic clock in nanoseconds, such as {@code scheduler::nanoTime}
     */
    public MutationCache(
            Indexer<ObjectName, T> store, boolean includeAdds, Duration ttl, int maxEntries, LongSupplier nanoTime) {
        if (maxEntries < 1 || ttl.isNegative() || ttl.isZero()) {
            throw new IllegalArgumentException("a mutation cache needs a positive ttl and at least 1 entry, got ttl "
                    + ttl + " and maxEntries " + maxEntries);
        }
        this.store = store;
        this.includeAdds = includeAdds;
        this.ttlNanos = Durations.nanos(ttl);
        this.nanoTime = nanoTime;
        this.overlay = lastUsed(maxEntries);
        this.gone = lastUsed(maxEntries);
    }

    /** Returns a map that evicts the least recently used entry when it is full. */
    private static <K, V> Map<K, V> lastUsed(int maxEntries) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > maxEntries;
            }
        };
    }

    /**
     * Stores the state that the server returned for a write. Ignored if a newer state is stored, or if the object with
     * this UID is known to be deleted.
     */
    public void mutation(T written) {
        long now = nanoTime.getAsLong();
        ObjectName key = written.objectName();
        lock.lock();
        try {
            Mutation<T> before = live(key, now);
            if (!isGone(written.metadata().uid(), now)
                    && (before == null || !ResourceVersions.isNewer(versionOf(before.object()), versionOf(written)))) {
                overlay.put(key, new Mutation<>(written, now));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the newer of the stored and the written state; null if there is neither. */
    public @Nullable T getByKey(ObjectName key) {
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            T stored = store.getByKey(key);
            T newer = newer(key, stored, now);
            return newer == null ? stored : newer;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the objects with this index value, each in its newer state, in no particular order. A written state is
     * included if it has the index value; it replaces the stored state of its object in any case. O(result + overlay).
     *
     * @throws IllegalArgumentException if the index does not exist
     * @throws IndexException if the index function fails on a written object
     */
    public List<T> byIndex(String indexName, String value) {
        long now = nanoTime.getAsLong();
        Map<ObjectName, T> found = new LinkedHashMap<>();
        List<T> shownNow = new ArrayList<>();
        lock.lock();
        try {
            for (T stored : store.byIndex(indexName, value)) {
                found.put(stored.objectName(), stored);
            }
            for (ObjectName key : List.copyOf(overlay.keySet())) {
                // The store may have changed since byIndex read it, so this later read decides (M2).
                T stored = store.getByKey(key);
                T newer = newer(key, stored, now);
                T shown = newer == null ? stored : newer;
                if (shown == null) {
                    found.remove(key);
                } else if (shown != found.get(key)) {
                    shownNow.add(shown);
                }
            }
        } finally {
            lock.unlock();
        }
        for (T shown : shownNow) {
            if (store.valuesOf(indexName, shown).contains(value)) {
                found.put(shown.objectName(), shown);
            } else {
                found.remove(shown.objectName());
            }
        }
        return List.copyOf(found.values());
    }

    /** Returns the written state if it hides the stored state, or null. Drops an entry that is no longer needed. */
    @GuardedBy("lock")
    private @Nullable T newer(ObjectName key, @Nullable T stored, long now) {
        Mutation<T> mutation = live(key, now);
        if (mutation == null) {
            return null;
        }
        if (stored == null) {
            return includeAdds ? mutation.object() : null;
        }
        if (ResourceVersions.isNewer(versionOf(mutation.object()), versionOf(stored))) {
            return mutation.object();
        }
        overlay.remove(key);
        return null;
    }

    /** Returns the entry, unless its time is over. */
    @GuardedBy("lock")
    private @Nullable Mutation<T> live(ObjectName key, long now) {
        Mutation<T> mutation = overlay.get(key);
        if (mutation != null && now - mutation.at() > ttlNanos) {
            overlay.remove(key);
            return null;
        }
        return mutation;
    }

    /** Returns whether the object with this UID was seen deleted within the time for which a write is kept. */
    @GuardedBy("lock")
    private boolean isGone(String uid, long now) {
        Long at = gone.get(uid);
        return at != null && now - at <= ttlNanos;
    }

    @Override
    public void onAdd(T object, boolean isInInitialList) {
        caughtUp(object);
    }

    @Override
    public void onUpdate(T oldObject, T newObject) {
        caughtUp(newObject);
    }

    /** Drops a written state that is not newer than the informer's state. */
    private void caughtUp(T observed) {
        long now = nanoTime.getAsLong();
        lock.lock();
        try {
            Mutation<T> mutation = live(observed.objectName(), now);
            if (mutation != null && !ResourceVersions.isNewer(versionOf(mutation.object()), versionOf(observed))) {
                overlay.remove(observed.objectName());
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Drops the written state of a deleted object, and remembers the deletion. A written state with another UID stays:
     * it belongs to an object created later under the same name.
     */
    @Override
    public void onDelete(DeletedObject<T> deleted) {
        long now = nanoTime.getAsLong();
        T last = deleted.lastKnown();
        lock.lock();
        try {
            Mutation<T> mutation = live(deleted.name(), now);
            if (mutation != null && (last == null || isSameOrOlder(mutation.object(), last))) {
                overlay.remove(deleted.name());
            }
            if (last != null && !last.metadata().uid().isEmpty()) {
                gone.put(last.metadata().uid(), now);
            }
        } finally {
            lock.unlock();
        }
    }

    private static <T extends KubeObject> boolean isSameOrOlder(T written, T deleted) {
        String uid = written.metadata().uid();
        return (!uid.isEmpty() && uid.equals(deleted.metadata().uid()))
                || !ResourceVersions.isNewer(versionOf(written), versionOf(deleted));
    }

    private static String versionOf(KubeObject object) {
        return object.metadata().resourceVersion();
    }
}
