package io.kubeloop.cache.reflector;

import io.kubeloop.cache.ReflectorState;
import io.kubeloop.cache.Timers;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where a reflector stands. Written by the reflector thread alone, read by any: each field is up to date by itself. */
@SuppressWarnings("NonAtomicVolatileUpdate") // one writer
public final class Progress {

    private final Timers timers;
    private volatile ReflectorState state = ReflectorState.NEW;
    private volatile @Nullable Instant since;
    private volatile String lastSyncResourceVersion = "";
    private volatile long lastEventNanos;
    private volatile boolean heardAnything;
    private volatile @Nullable Throwable lastError;
    private volatile @Nullable Instant lastErrorAt;
    private volatile ReflectorState lastErrorDuring = ReflectorState.NEW;
    private volatile long lists;
    private volatile long watches;
    private volatile long errors;

    private Runnable whenReached = () -> {};

    /** Set when the server could not serve the last version: the next list asks for none (RE-30). */
    private boolean versionUnavailable;

    Progress(Timers timers) {
        this.timers = timers;
    }

    void enter(ReflectorState next) {
        assert state.leadsTo(next) : state + " does not lead to " + next;
        since = timers.now();
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
        lastErrorAt = timers.now();
    }

    /** An event came. */
    void heard() {
        lastEventNanos = timers.nanoTime();
        heardAnything = true;
    }

    /** Everything up to this version was heard (RE-54). */
    void reached(String resourceVersion) {
        lastSyncResourceVersion = resourceVersion;
        whenReached.run();
    }

    /** Sets what is run on the reflector thread whenever a version was reached. Before the thread starts. */
    public void whenReached(Runnable action) {
        whenReached = action;
    }

    void complete(String resourceVersion) {
        heard();
        reached(resourceVersion);
    }

    void versionUnavailable() {
        versionUnavailable = true;
    }

    /** The server answered a list: whatever becomes of it here, the next one asks for a version again. */
    void versionAvailable() {
        versionUnavailable = false;
    }

    boolean isVersionUnavailable() {
        return versionUnavailable;
    }

    public ReflectorState state() {
        return state;
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
        return heardAnything ? timers.now().minusNanos(timers.nanoTime() - lastEventNanos) : null;
    }

    @Nullable
    public Throwable lastError() {
        return lastError;
    }

    @Nullable
    public Instant lastErrorAt() {
        return lastErrorAt;
    }

    /** Returns the state in which the last error came. */
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
