/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.cache.ReflectorState;
import io.kubeloop.runtime.Scheduler;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a reflector. The reflector thread alone writes it; any thread may read it. Each field is current, but
 * fields that are read one after the other may be inconsistent.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // one writer
public final class Progress {

    private final Scheduler scheduler;
    private volatile ReflectorState state = ReflectorState.NEW;
    private volatile @Nullable Instant since;
    private volatile String lastSyncResourceVersion = "";
    private volatile long lastEventNanos;
    private volatile boolean anyEvent;
    private volatile @Nullable Throwable lastError;
    private volatile @Nullable Instant lastErrorAt;
    private volatile ReflectorState lastErrorDuring = ReflectorState.NEW;

    /** Set once, by any thread of the informer. The other fields keep their state. */
    private volatile boolean hasFailed;

    private volatile long lists;
    private volatile long watches;
    private volatile long errors;

    private Runnable whenReached = () -> {};

    /** Set when the server could not serve the last version. The next list then requests none. */
    private boolean versionUnavailable;

    Progress(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void enter(ReflectorState next) {
        assert state.leadsTo(next) : state + " does not lead to " + next;
        since = scheduler.now();
        state = next;
    }

    void listed() {
        lists++;
    }

    void watched() {
        watches++;
    }

    void failed(Throwable error) {
        errors++;
        lastErrorDuring = state;
        lastError = error;
        lastErrorAt = scheduler.now();
    }

    /** Records that the informer ends with this error. Any thread. */
    public void fail(Throwable error) {
        errors++;
        lastErrorDuring = state;
        lastError = error;
        lastErrorAt = scheduler.now();
        hasFailed = true;
    }

    /** Records that an event arrived. */
    void eventArrived() {
        lastEventNanos = scheduler.nanoTime();
        anyEvent = true;
    }

    /** Records that everything up to this version was received and queued. */
    void reached(String resourceVersion) {
        lastSyncResourceVersion = resourceVersion;
        whenReached.run();
    }

    /**
     * Sets an action that the reflector thread runs whenever it has reached a version. Must be called before that
     * thread starts.
     */
    public void whenReached(Runnable action) {
        whenReached = action;
    }

    void complete(String resourceVersion) {
        eventArrived();
        reached(resourceVersion);
    }

    void versionUnavailable() {
        versionUnavailable = true;
    }

    /**
     * Records that the server answered a list, so the next list requests a version again, even if this list fails
     * later.
     */
    void versionAvailable() {
        versionUnavailable = false;
    }

    boolean isVersionUnavailable() {
        return versionUnavailable;
    }

    public ReflectorState state() {
        return hasFailed ? ReflectorState.FAILED : state;
    }

    @Nullable
    public Instant since() {
        return since;
    }

    public String lastSyncResourceVersion() {
        return lastSyncResourceVersion;
    }

    @Nullable
    public Instant lastEventAt() {
        return anyEvent ? scheduler.now().minusNanos(scheduler.nanoTime() - lastEventNanos) : null;
    }

    @Nullable
    public Throwable lastError() {
        return lastError;
    }

    @Nullable
    public Instant lastErrorAt() {
        return lastErrorAt;
    }

    /** Returns the phase in which the last error occurred. */
    public ReflectorState lastErrorDuring() {
        return lastErrorDuring;
    }

    public long lists() {
        return lists;
    }

    public long watches() {
        return watches;
    }

    public long errors() {
        return errors;
    }
}
