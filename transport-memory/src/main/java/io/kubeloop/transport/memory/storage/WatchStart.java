package io.kubeloop.transport.memory.storage;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Where a watcher begins and what it looks at.
 *
 * @param from the first key of the range that is watched
 * @param until the key before which the range ends; null for none
 * @param filter which objects of the range are in view; pure, called on the watcher's thread
 * @param after the revision after which events are shown; null to begin with the present state as additions
 * @param initialEventsEnd whether a bookmark marks the end of that present state
 * @param bookmarkInterval how often to show progress; null for never
 * @param timeout after which the watch ends in order; null for never
 */
public record WatchStart(
        String from,
        @Nullable String until,
        Predicate<StoredObject> filter,
        @Nullable Long after,
        boolean initialEventsEnd,
        @Nullable Duration bookmarkInterval,
        @Nullable Duration timeout) {

    /** Returns whether an object is in range and in view. */
    boolean shows(StoredObject object) {
        String key = object.key();
        return key.compareTo(from) >= 0 && (until == null || key.compareTo(until) < 0) && filter.test(object);
    }
}
