/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The start and the range of a watch.
 *
 * @param from the first key of the range, inclusive
 * @param until the end of the range, exclusive; null for none
 * @param filter selects the objects of the range; must be pure, runs on the watcher's thread
 * @param trigger a value that all objects of the range that the filter selects have; null for none
 * @param after the revision after which events are delivered; null to start with the current state as additions
 * @param initialEventsEnd whether a bookmark marks the end of the initial state
 * @param bookmarkInterval the interval of bookmarks; null for none
 * @param timeout the duration after which the watch ends; null for never
 */
public record WatchStart(
        String from,
        @Nullable String until,
        Predicate<StoredObject> filter,
        @Nullable WatchTrigger trigger,
        @Nullable Long after,
        boolean initialEventsEnd,
        @Nullable Duration bookmarkInterval,
        @Nullable Duration timeout) {

    /** Returns whether an object is in the range and matches the filter. */
    boolean shows(StoredObject object) {
        String key = object.key();
        return key.compareTo(from) >= 0 && (until == null || key.compareTo(until) < 0) && filter.test(object);
    }
}
