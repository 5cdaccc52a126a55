package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a controller wrote and that its cache does not show yet. While pods start, their owner is synced
 * faster than its writes come back through the watch. A sync that reads only the cache would be rejected with a
 * conflict and retried, as upstream's is.
 *
 * <p>A sync calls {@link #latest} to read, {@link #begin} before a write, and {@link #done} with the server's
 * response. After a failed write it calls {@link #forget}.
 *
 * <p>Thread-safe. Only one thread at a time may write an object; any thread may call {@link #forget}.
 *
 * @param <T> the kind of the objects
 */
public final class RecentWrites<T extends KubeObject> {

    /*
     * Invariant
     *   L1  An entry is returned only while the cache shows a version that the entry's write replaced. Any other
     * version, a deletion, a failed write or the end of its lifetime removes it.
     * No lock: one concurrent map. Entries are compared by identity, so that done() has no effect if forget() was
     * called after its begin().
     */

    /**
     * The age at which an entry expires: 1 min. The cache counts again then, because it may have missed the object's
     * deletion. A controller that acted on an entry must sync the object again after this time.
     */
    public static final Duration LIFETIME = Duration.ofMinutes(1);

    private final ConcurrentMap<ObjectName, Entry<T>> entries = new ConcurrentHashMap<>();
    private final Clock clock;

    /**
     * Creates an empty record.
     *
     * @param clock measures the age of entries; best a {@link ControllerTime#steady} clock
     */
    public RecentWrites(Clock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * A write that has begun or is done.
     *
     * @param <T> the kind of the object
     */
    public static final class Entry<T> {

        private final Set<String> superseded;
        private final @Nullable T written;
        private final Instant expiry;

        private Entry(Set<String> superseded, @Nullable T written, Instant expiry) {
            this.superseded = superseded;
            this.written = written;
            this.expiry = expiry;
        }
    }

    /**
     * Returns the written object if the cache still shows a version that the write replaced, else the cached one.
     *
     * @param cached the object in the cache; null if there is none
     * @return null if there is neither
     */
    public @Nullable T latest(ObjectName name, @Nullable T cached) {
        Entry<T> entry = entries.get(name);
        if (entry == null) {
            return cached;
        }
        if (entry.written != null
                && entry.superseded.contains(version(cached))
                && clock.instant().isBefore(entry.expiry)) {
            return entry.written;
        }
        entries.remove(name, entry);
        return cached;
    }

    /** Returns the written object if the cache still shows a version that the write replaced, else the cached one. */
    public T latest(T cached) {
        T latest = latest(cached.objectName(), cached);
        return latest == null ? cached : latest;
    }

    /** Records that a write begins, and returns the entry to pass to {@link #done}. */
    public Entry<T> begin(ObjectName name) {
        return entries.computeIfAbsent(name, n -> new Entry<>(Set.of(), null, Instant.MAX));
    }

    /**
     * Records that the write succeeded. Does nothing if {@link #forget} was called since it began.
     *
     * @param replaced the resource version that the write replaced; empty for a creation
     * @param written the object in the server's response
     */
    public void done(Entry<T> begun, String replaced, T written) {
        Set<String> superseded = new HashSet<>(begun.superseded);
        superseded.add(replaced);
        entries.replace(
                written.objectName(),
                begun,
                new Entry<>(superseded, written, clock.instant().plus(LIFETIME)));
    }

    /** Removes the entry of an object that was deleted or whose write failed. */
    public void forget(ObjectName name) {
        entries.remove(name);
    }

    /** Removes expired entries. Needed for kinds whose deletions the controller does not observe. O(entries). */
    public void forgetExpired() {
        Instant now = clock.instant();
        entries.values().removeIf(entry -> !now.isBefore(entry.expiry));
    }

    private static String version(@Nullable KubeObject object) {
        return object == null ? "" : object.metadata().resourceVersion();
    }
}
