package io.kubeloop.controller.endpoint;

import io.kubeloop.api.Endpoints;
import io.kubeloop.api.ObjectName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * What this controller wrote and the cache does not show yet. Pods that arrive one after the other sync their service faster
 * than its writes come back; a sync that started from the cache would then be refused with a conflict, and tried again
 * (upstream accepts that; current releases notice, and try again until the cache shows the write).
 *
 * <p>Thread-safe. One object is written by one thread at a time (I3); {@link #forget} may come from any.
 */
final class LastWrites {

    // Invariant
    //   L1  An entry stands for the server's state only as long as the cache shows a version that it has superseded.
    //       Any other version, a deletion, a refused write or the passing of time ends it.
    // No lock: one concurrent map. Entries are compared by identity, so that done() takes effect only if no forget()
    // came between it and its begin().

    /** After this the cache is believed again, whatever it shows: it may have missed that the object went. */
    private static final Duration LIFETIME = Duration.ofMinutes(1);

    private final ConcurrentMap<ObjectName, Entry> entries = new ConcurrentHashMap<>();
    private final Clock clock;

    LastWrites(Clock clock) {
        this.clock = clock;
    }

    /** A write, begun or done. */
    static final class Entry {

        private final Set<String> superseded;
        private final @Nullable Endpoints written;
        private final Instant expiry;

        private Entry(Set<String> superseded, @Nullable Endpoints written, Instant expiry) {
            this.superseded = superseded;
            this.written = written;
            this.expiry = expiry;
        }
    }

    /** Returns the newer of what the cache shows and what was written. */
    @Nullable
    Endpoints latest(ObjectName name, @Nullable Endpoints cached) {
        Entry entry = entries.get(name);
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

    /** Says that a write begins; returns what {@link #done} wants. */
    Entry begin(ObjectName name) {
        return entries.computeIfAbsent(name, n -> new Entry(Set.of(), null, Instant.MAX));
    }

    /**
     * Says that the write is done.
     *
     * @param replaced the version that was replaced; empty if the object was created
     * @param written the server's answer
     */
    void done(Entry begun, String replaced, Endpoints written) {
        Set<String> superseded = new HashSet<>(begun.superseded);
        superseded.add(replaced);
        entries.replace(
                written.objectName(),
                begun,
                new Entry(superseded, written, clock.instant().plus(LIFETIME)));
    }

    /** Says that nothing is known of the object: it was deleted, or a write of it failed. */
    void forget(ObjectName name) {
        entries.remove(name);
    }

    private static String version(@Nullable Endpoints endpoints) {
        return endpoints == null ? "" : endpoints.metadata().resourceVersion();
    }
}
