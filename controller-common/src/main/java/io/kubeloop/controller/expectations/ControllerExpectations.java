/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.expectations;

import io.kubeloop.api.ObjectName;
import io.kubeloop.controller.ControllerTime;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Records, for each owner, the creations and deletions that the cache has not shown yet (upstream:
 * {@code ControllerExpectations} in {@code controller_utils.go}).
 *
 * <p>A controller that creates three pods, and reads its cache before the watch delivers them, would create three
 * more. To prevent that, it sets expectations before its writes. It lowers them as the cache shows the pods, and when
 * a write fails. It acts again only when {@link #isSatisfied} returns true: everything was observed, nothing was
 * expected, or {@link #TIMEOUT} has passed. The timeout is needed because an event may never arrive.
 *
 * <p>Thread-safe; each call is atomic and does not block.
 */
public final class ControllerExpectations {

    /*
     * Invariant 1: an entry is replaced only inside compute of the map, so no change of a counter is lost.
     * Called by workers (set, lower) and by informer threads (observed). No lock beyond the map's own; nothing blocks.
     */

    /** The age at which an expectation no longer delays a controller: 5 min. */
    public static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final ConcurrentMap<ObjectName, ControlleeExpectations> expectations = new ConcurrentHashMap<>();
    private final Clock clock;

    /**
     * Creates an empty set of expectations.
     *
     * @param clock measures their age; best a {@link ControllerTime#steady} clock
     */
    public ControllerExpectations(Clock clock) {
        this.clock = clock;
    }

    /** Returns the expectations of the key, or null if none were set. */
    public @Nullable ControlleeExpectations get(ObjectName key) {
        return expectations.get(key);
    }

    /** Returns the expectations of all keys, those that are fulfilled included. O(n) in the keys; copies. */
    public Map<ObjectName, ControlleeExpectations> all() {
        return Map.copyOf(expectations);
    }

    /**
     * Returns whether the controller may act: nothing is expected, everything was observed, or {@link #TIMEOUT} has
     * passed.
     */
    public boolean isSatisfied(ObjectName key) {
        ControlleeExpectations expected = expectations.get(key);
        return expected == null || expected.isFulfilled() || isOld(expected);
    }

    private boolean isOld(ControlleeExpectations expected) {
        return Duration.between(expected.timestamp(), clock.instant()).compareTo(TIMEOUT) > 0;
    }

    /** Replaces the expectations of the key; their age starts at zero. */
    public void setExpectations(ObjectName key, int add, int del) {
        expectations.put(key, new ControlleeExpectations(add, del, clock.instant()));
    }

    /** Expects this many creations and no deletions. */
    public void expectCreations(ObjectName key, int adds) {
        setExpectations(key, adds, 0);
    }

    /** Expects this many deletions and no creations. */
    public void expectDeletions(ObjectName key, int dels) {
        setExpectations(key, 0, dels);
    }

    /** Lowers the expected creations by one. Does nothing if no expectations were set. */
    public void creationObserved(ObjectName key) {
        lowerExpectations(key, 1, 0);
    }

    /** Lowers the expected deletions by one. Does nothing if no expectations were set. */
    public void deletionObserved(ObjectName key) {
        lowerExpectations(key, 0, 1);
    }

    /** Lowers the expectations by these numbers; their age stays. Does nothing if no expectations were set. */
    public void lowerExpectations(ObjectName key, int add, int del) {
        expectations.computeIfPresent(key, (k, expected) -> expected.plus(-(long) add, -(long) del));
    }

    /** Raises the expectations by these numbers; their age stays. Does nothing if no expectations were set. */
    public void raiseExpectations(ObjectName key, int add, int del) {
        expectations.computeIfPresent(key, (k, expected) -> expected.plus(add, del));
    }

    /** Removes the expectations of the key. */
    public void deleteExpectations(ObjectName key) {
        expectations.remove(key);
    }
}
