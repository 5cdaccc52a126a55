package io.kubeloop.controller.replicaset;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Remembers the server's answers to status updates until the cache shows them.
 *
 * <p>While pods come up, an owner is synced faster than its status comes back through the watch. Upstream starts from the
 * stale cache, is refused with a conflict, reads the object and writes again: three requests for one.
 *
 * <p>Thread-safe; one key is synced by one worker at a time.
 */
final class LastWritten<T extends KubeObject> {

    // Invariant 1: an entry is newer than the cache as long as the cache shows a version that the entry has
    //              superseded. With any other version the cache has moved on, and the entry goes.

    private record Entry<T>(Set<String> superseded, T written) {}

    private final ConcurrentMap<ObjectName, Entry<T>> entries = new ConcurrentHashMap<>();

    /** Returns the newer of what the cache shows and what was written last. */
    T latest(T cached) {
        ObjectName key = cached.objectName();
        Entry<T> entry = entries.get(key);
        if (entry == null) {
            return cached;
        }
        if (entry.superseded().contains(cached.metadata().resourceVersion())) {
            return entry.written();
        }
        entries.remove(key, entry);
        return cached;
    }

    /**
     * Takes note of a write.
     *
     * @param replaced what was replaced
     * @param written the server's answer
     */
    void written(T replaced, T written) {
        entries.compute(written.objectName(), (key, before) -> {
            Set<String> superseded = new HashSet<>();
            if (before != null) {
                superseded.addAll(before.superseded());
            }
            superseded.add(replaced.metadata().resourceVersion());
            return new Entry<>(superseded, written);
        });
    }

    /** Forgets what was written: the object is gone, or another write came between. */
    void forget(ObjectName key) {
        entries.remove(key);
    }
}
