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
 * What a controller wrote and the cache does not show yet. While pods come up, what stands above them is synced faster than
 * its writes come back through the watch; a sync that started from the cache would then be refused with a conflict, and tried
 * again (upstream accepts that).
 *
 * <p>Around each write go {@link #begin} and, with the server's answer, {@link #done}; after a write that failed,
 * {@link #forget}. A sync starts from what {@link #latest} returns.
 *
 * <p>Thread-safe. One object is written by one thread at a time (I3); {@link #forget} may come from any.
 *
 * @param <T> the kind of the objects
 */
public final class RecentWrites<T extends KubeObject> {

    // Invariant
    //   L1  An entry stands for the server's state only as long as the cache shows a version that it has superseded.
    //       Any other version, a deletion, a refused write or the passing of time ends it.
    // No lock: one concurrent map. Entries are compared by identity, so that done() takes effect only if no forget()
    // came between it and its begin().

    /**
     * After this the cache is believed again, whatever it shows: it may have missed that the object went. Who acts on what is
     * remembered looks again then.
     */
    public static final Duration LIFETIME = Duration.ofMinutes(1);

    private final ConcurrentMap<ObjectName, Entry<T>> entries = new ConcurrentHashMap<>();
    private final Clock clock;

    /** Makes a memory that knows of no write; a write is remembered for a minute of the clock, a {@link ControllerTime#steady}, at most. */
    public RecentWrites(Clock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    /**
     * A write, begun or done.
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

    /** Returns the newer of what the cache shows and what was written; null if there is neither. */
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

    /** Returns the newer of what the cache shows, which is there, and what was written. */
    public T latest(T cached) {
        T latest = latest(cached.objectName(), cached);
        return latest == null ? cached : latest;
    }

    /** Says that a write begins; returns what {@link #done} wants. */
    public Entry<T> begin(ObjectName name) {
        return entries.computeIfAbsent(name, n -> new Entry<>(Set.of(), null, Instant.MAX));
    }

    /**
     * Says that the write is done. Does nothing if the object was forgotten since it began.
     *
     * @param replaced the version that was replaced; empty if the object was created
     * @param written the server's answer
     */
    public void done(Entry<T> begun, String replaced, T written) {
        Set<String> superseded = new HashSet<>(begun.superseded);
        superseded.add(replaced);
        entries.replace(
                written.objectName(),
                begun,
                new Entry<>(superseded, written, clock.instant().plus(LIFETIME)));
    }

    /** Says that nothing is known of the object: it was deleted, or a write of it failed. */
    public void forget(ObjectName name) {
        entries.remove(name);
    }

    /** Forgets what is no longer believed: for kinds of which nobody hears every deletion. O(entries). */
    public void forgetExpired() {
        Instant now = clock.instant();
        entries.values().removeIf(entry -> !now.isBefore(entry.expiry));
    }

    private static String version(@Nullable KubeObject object) {
        return object == null ? "" : object.metadata().resourceVersion();
    }
}
