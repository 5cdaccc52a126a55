package io.kubeloop.controller;

import io.kubeloop.api.ObjectName;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, for each controlling object, the writes that have not come back through the watch (upstream:
 * {@code ControllerExpectations} in {@code controller_utils.go}).
 *
 * <p>A controller that has created three pods and reads its cache before the watch has shown them would create three more.
 * So it says before the writes what it expects, lowers that as the cache shows it (or when a write fails), and acts again
 * only when {@link #isSatisfied}: everything was seen, or nothing was expected, or {@link #TIMEOUT} has passed, since an
 * event may never come.
 *
 * <p>Thread-safe; each call is atomic. What counts as expired is for the caller to distinguish: see {@link #isExpired}.
 */
public final class ControllerExpectations {

    // Invariant 1: an entry is replaced only inside compute of the map, so no change of a counter is lost.
    // Called by workers (set, lower) and by informer threads (observed). No lock beyond the map's own; nothing blocks.

    /** After this long an expectation no longer holds a controller back. */
    public static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final ConcurrentMap<ObjectName, ControlleeExpectations> expectations = new ConcurrentHashMap<>();
    private final Clock clock;

    /** Makes an empty set of expectations; the clock says how old they are, best a {@link ControllerTime#steady}. */
    public ControllerExpectations(Clock clock) {
        this.clock = clock;
    }

    /** Returns what is expected for the key, or null if nothing was recorded. */
    public @Nullable ControlleeExpectations get(ObjectName key) {
        return expectations.get(key);
    }

    /** Returns whether the controller may act: nothing is recorded, all was seen, or it is older than {@link #TIMEOUT}. */
    public boolean isSatisfied(ObjectName key) {
        ControlleeExpectations expected = expectations.get(key);
        return expected == null || expected.isFulfilled() || isOld(expected);
    }

    /** Returns whether something is outstanding that will no longer be waited for: the cache cannot be trusted. */
    public boolean isExpired(ObjectName key) {
        ControlleeExpectations expected = expectations.get(key);
        return expected != null && !expected.isFulfilled() && isOld(expected);
    }

    private boolean isOld(ControlleeExpectations expected) {
        return Duration.between(expected.timestamp(), clock.instant()).compareTo(TIMEOUT) > 0;
    }

    /** Replaces what is expected for the key; its age begins now. */
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

    /** Lowers the expected creations by one; nothing if none were recorded. */
    public void creationObserved(ObjectName key) {
        lowerExpectations(key, 1, 0);
    }

    /** Lowers the expected deletions by one; nothing if none were recorded. */
    public void deletionObserved(ObjectName key) {
        lowerExpectations(key, 0, 1);
    }

    /** Lowers what is expected; the age stays. */
    public void lowerExpectations(ObjectName key, int add, int del) {
        expectations.computeIfPresent(key, (k, expected) -> expected.plus(-(long) add, -(long) del));
    }

    /** Raises what is expected; the age stays; nothing if nothing was recorded. */
    public void raiseExpectations(ObjectName key, int add, int del) {
        expectations.computeIfPresent(key, (k, expected) -> expected.plus(add, del));
    }

    /** Forgets what was expected for the key. */
    public void deleteExpectations(ObjectName key) {
        expectations.remove(key);
    }
}
