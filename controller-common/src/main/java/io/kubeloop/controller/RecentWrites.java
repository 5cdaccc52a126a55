/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.ResourceClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a controller wrote and that its cache does not show yet. While pods start, their owner is synced
 * faster than its writes come back through the watch. A sync that reads only the cache would be rejected with a
 * conflict and retried, as upstream's is.
 *
 * <p>A sync calls {@link #latest} to read, and {@link #write} to write.
 *
 * <p>Thread-safe. Only one thread at a time may write an object; any thread may call {@link #forget}. {@link #write}
 * blocks while its request does.
 *
 * @param <T> the kind of the objects
 */
public final class RecentWrites<T extends KubeObject> {

    /*
     * Invariant
     *   L1  An entry is returned only while the cache shows a version that the entry's write replaced. Any other
     * version, a deletion, a failed write or the end of its lifetime removes it.
     * No lock: one concurrent map. Entries are compared by identity, so that the end of a write has no effect if
     * forget() was called meanwhile.
     */

    /**
     * The age at which an entry expires: 1 min. The cache counts again then, because it may have missed the object's
     * deletion. A controller that acted on an entry must sync the object again after this time.
     */
    public static final Duration LIFETIME = Duration.ofMinutes(1);

    private final ConcurrentMap<ObjectName, Entry<T>> entries = new ConcurrentHashMap<>();
    private final ResourceClient<T> client;
    private final Clock clock;
    private final @Nullable Consumer<String> ends;
    private final Runnable stale;

    /** The UID of each owner that was synced, by key: the next one of its name is another owner. */
    private final ConcurrentMap<ObjectName, String> uids = new ConcurrentHashMap<>();

    private RecentWrites(ResourceClient<T> client, Clock clock, @Nullable Consumer<String> ends, Runnable stale) {
        this.client = client;
        this.clock = Objects.requireNonNull(clock, "clock");
        this.ends = ends;
        this.stale = stale;
    }

    /**
     * Creates an empty record.
     *
     * @param clock measures the age of entries; best a {@link ControllerTime#steady} clock
     */
    public RecentWrites(ResourceClient<T> client, Clock clock) {
        this(client, clock, null, () -> {});
    }

    /**
     * Returns an empty record of the owners of other objects, which also notices that an owner is gone or that another
     * one has its name.
     *
     * @param <T> the kind of the owners
     * @param clock measures the age of entries; best a {@link ControllerTime#steady} clock
     * @param ends receives the UID of each owner that no longer exists
     * @param stale counts a sync that begins while the cache shows an older version than the last one written
     */
    public static <T extends KubeObject> RecentWrites<T> ofOwners(
            ResourceClient<T> client, Clock clock, Consumer<String> ends, Runnable stale) {
        return new RecentWrites<>(client, clock, ends, stale);
    }

    /** A write that has begun, without the server's response, or is done. */
    private static final class Entry<T> {

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
        if (ends != null) {
            String uid = cached.metadata().uid();
            String before = uids.put(cached.objectName(), uid);
            if (before != null && !before.equals(uid)) {
                entries.remove(cached.objectName());
                ends.accept(before);
            }
        }
        T latest = latest(cached.objectName(), cached);
        if (latest != null && latest != cached) { // an entry, not the cached object
            stale.run();
            return latest;
        }
        return cached;
    }

    /**
     * Writes an object, and returns what the server returned. The write is not remembered if it fails, or if {@link
     * #forget} is called meanwhile. Blocks as the request does.
     *
     * @param replaced the resource version that the write replaces; empty for a creation
     * @param request sends the request and returns the object in the server's response
     */
    public T write(ObjectName name, String replaced, Supplier<T> request) {
        Entry<T> begun = entries.computeIfAbsent(name, n -> new Entry<>(Set.of(), null, Instant.MAX));
        try {
            T written = request.get();
            Set<String> superseded = new HashSet<>(begun.superseded);
            superseded.add(replaced);
            entries.replace(
                    name,
                    begun,
                    new Entry<>(superseded, written, clock.instant().plus(LIFETIME)));
            return written;
        } catch (RuntimeException e) {
            entries.remove(name);
            throw e;
        }
    }

    /** Updates an object as {@link #write} does. */
    public T update(T changed) {
        return write(changed.objectName(), changed.metadata().resourceVersion(), () -> client.update(changed));
    }

    /** Updates the status of an object as {@link #write} does. */
    public T updateStatus(T changed) {
        return write(changed.objectName(), changed.metadata().resourceVersion(), () -> client.updateStatus(changed));
    }

    /** Removes the entry of an object that was deleted. */
    public void forget(ObjectName name) {
        entries.remove(name);
        String uid = uids.remove(name);
        if (uid != null && ends != null) {
            ends.accept(uid);
        }
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
