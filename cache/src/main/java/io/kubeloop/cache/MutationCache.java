package io.kubeloop.cache;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.informer.SharedIndexInformer;
import io.kubeloop.cache.runtime.Durations;
import io.kubeloop.cache.store.ResourceVersions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a controller read its own writes before they come back through the watch: an overlay of what it wrote, over an
 * informer's store (upstream: {@code cache.MutationCache}; MC-01 to MC-03).
 *
 * <pre>{@code
 * MutationCache<Pod> mutations = MutationCache.over(informer, true);
 * Pod written = pods.update(pod);
 * mutations.mutation(written);        // from here on a read returns this state, or a newer one
 * }</pre>
 *
 * <p>Of the two states of an object the one with the greater resource version is returned. An overlay entry is dropped as
 * soon as the store is seen to have caught up, when its time is over, and when there are too many. As a handler of the
 * informer it also learns of deletions, and does not bring back what is gone.
 *
 * <p>Thread-safe.
 *
 * @param <T> the type of the objects
 */
public final class MutationCache<T extends KubeObject> implements ResourceEventHandler<T> {

    /*
     * Invariants:
     *   M1  The overlay has at most maxEntries entries, the ones used last; so has gone, which is apart so that deletions of
     *       objects that nobody wrote cannot push out what somebody did.
     *   M2  An entry leaves because the store was seen to be at least as new; and store and overlay are read under one lock.
     *       So a thread that was shown a state is not shown an older one later, as long as M1 and the time do not interfere.
     *   M3  A deletion that was observed leaves its UID in gone: a write of that object, reported late, is ignored.
     *
     * lock guards overlay and gone. The store is read under it and must not block: informers' stores do not. Index
     * functions, which are user code, run without it (I13). Any thread may call anything; as a handler, the handler's
     * thread.
     */

    /** How many objects the overlay holds unless told otherwise. */
    public static final int DEFAULT_MAX_ENTRIES = 100;

    /** How long the overlay holds an object unless told otherwise. */
    public static final Duration DEFAULT_TTL = Duration.ofMinutes(5);

    /** What was written, and when that was reported. */
    private record Mutation<T>(T object, long at) {}

    private final Indexer<ObjectName, T> store;
    private final boolean includeAdds;
    private final long ttlNanos;
    private final LongSupplier nanoTime;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ObjectName, Mutation<T>> overlay;

    /** When an object, by UID, was seen deleted. */
    private final Map<String, Long> gone;

    /**
     * Makes a cache with the default limits over an informer's store, and adds it to the informer as a handler.
     *
     * @param includeAdds as for the {@linkplain #MutationCache(Indexer, boolean) constructor}
     * @throws IllegalArgumentException if the informer is not one of this library's
     * @throws IllegalStateException if the informer is closed
     */
    public static <T extends KubeObject> MutationCache<T> over(SharedInformer<T> informer, boolean includeAdds) {
        if (!(informer instanceof SharedIndexInformer<T> own)) {
            throw new IllegalArgumentException("cannot read from the store of " + informer.getClass());
        }
        MutationCache<T> cache = new MutationCache<>(own.store(), includeAdds);
        informer.addHandler(cache, Duration.ZERO);
        return cache;
    }

    /**
     * Makes a cache with the default limits, on the machine's monotonic clock.
     *
     * @param store what an informer keeps up to date; must not block
     * @param includeAdds whether an object that the store does not have yet is returned: right for objects that this
     *     process creates, wrong if they may be deleted unseen, since nothing but the time limit drops them then
     */
    public MutationCache(Indexer<ObjectName, T> store, boolean includeAdds) {
        this(store, includeAdds, DEFAULT_TTL, DEFAULT_MAX_ENTRIES, System::nanoTime);
    }

    /**
     * Makes a cache.
     *
     * @param store what an informer keeps up to date; must not block
     * @param includeAdds whether an object that the store does not have yet is returned
     * @param ttl how long a written state may be returned; positive
     * @param maxEntries how many objects are remembered, of those the ones used last; at least 1
     * @param nanoTime a clock in nanoseconds that never goes back
     */
    public MutationCache(
            Indexer<ObjectName, T> store, boolean includeAdds, Duration ttl, int maxEntries, LongSupplier nanoTime) {
        if (maxEntries < 1 || ttl.isNegative() || ttl.isZero()) {
            throw new IllegalArgumentException(
                    "a mutation cache needs a positive time and room, got " + ttl + " and " + maxEntries);
        }
        this.store = store;
        this.includeAdds = includeAdds;
        this.ttlNanos = Durations.nanos(ttl);
        this.nanoTime = nanoTime;
        this.overlay = lastUsed(maxEntries);
        this.gone = lastUsed(maxEntries);
    }

    /** Returns a map that forgets the entry that was not used for longest when it has too many. */
    private static <K, V> Map<K, V> lastUsed(int maxEntries) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > maxEntries;
            }
        };
    }

    /**
     * Remembers what the server answered to a write. Ignored if a newer state is remembered, or if the object with this UID
     * is known to be deleted.
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

    /** Returns the newer of what is stored and what was written, or null if there is neither. */
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
     * Returns the objects that the index has under the value, each in its newer state; a state that was written and belongs
     * under the value is among them, one that no longer does is not. In no particular order. O(result + overlay).
     *
     * @throws IllegalArgumentException if there is no such index
     * @throws IndexException if the index function failed on an object that was written
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
                // The store may have been written since it was asked for the index: the later answer counts (M2).
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

    /** Returns the written state if it is to be shown instead of the stored one, or null; drops it if it has had its day. */
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
    private @Nullable Mutation<T> live(ObjectName key, long now) {
        Mutation<T> mutation = overlay.get(key);
        if (mutation != null && now - mutation.at() > ttlNanos) {
            overlay.remove(key);
            return null;
        }
        return mutation;
    }

    /** Returns whether the object with this UID was seen deleted not longer ago than a write may be remembered. */
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

    /** Drops a written state that is not newer than what the informer has now. */
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
     * Drops the written state of the object that is gone, and remembers that it is; one with another UID that was created
     * under the same name since then stays.
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
