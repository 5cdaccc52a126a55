package io.kubeloop.cache.dispatch;

import io.kubeloop.cache.Timers;
import io.kubeloop.cache.runtime.LogThrottle;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Raises the alarm when a handler falls behind, and when it has caught up again; once each, and the former at most once a
 * minute. Behind is who has more than {@link #BOUND} calls to come for {@link #PATIENCE}: a burst, such as the first list,
 * is not worth a word. Thread-safe.
 */
public final class BacklogWatch implements AutoCloseable {

    /*
     *   FINE ──look()──► SUSPECTED ──check() after PATIENCE──► WARNING ──the alarm has returned──► WARNED
     *    ▲                   │                                    │ relax()                           │ relax()
     *    ├──────relax()──────┘                                    ▼                                   │
     *    ├───────── the alarm has returned ◄── RECOVERED_WHILE_WARNING                                 │
     *    └────────────────────────────────────────────────────────────────────────────────────────────┘
     *
     * FINE is null; the other phases are those of a Behind. state moves by compare-and-set, so each warning is followed by
     * exactly one recovery. In the phase WARNING the timer thread is inside the alarm: relax() then leaves the recovery to
     * that thread, so the log never shows a recovery before its warning.
     *
     * There is no lock. This class schedules timers and raises alarms, so callers of look() and relax() must not hold a lock
     * either. look(): processing or handler thread; check(): timer thread; relax(): handler thread; the rest: any thread.
     */

    /** So many calls may be to come without anybody being told (DI-03). */
    public static final int BOUND = 1024;

    /** For so long more may be to come. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    /** What is told. Called without a lock, by the timer's thread and the handler's; must not block. */
    interface Alarm {

        /** The handler has more than the bound to come, for so long now. */
        void fellBehind(int pending, Duration age);

        /** It no longer has, after so long. */
        void caughtUp(Duration age);
    }

    private final Timers timers;
    private final IntSupplier pending;
    private final Alarm alarm;

    private final AtomicReference<@Nullable Behind> state = new AtomicReference<>();
    private volatile Timers.Timeout timeout = () -> {};
    private volatile boolean closed;

    /** Timer thread only. */
    private final LogThrottle warnsNow;

    private enum Phase {
        SUSPECTED,
        WARNING,
        RECOVERED_WHILE_WARNING,
        WARNED
    }

    /** One phase of one episode. Compared by identity. */
    private static final class Behind {
        final long sinceNanos;
        final Phase phase;

        Behind(long sinceNanos, Phase phase) {
            this.sinceNanos = sinceNanos;
            this.phase = phase;
        }

        Behind in(Phase next) {
            return new Behind(sinceNanos, next);
        }
    }

    BacklogWatch(Timers timers, IntSupplier pending, Alarm alarm) {
        this.timers = timers;
        this.pending = pending;
        this.alarm = alarm;
        this.warnsNow = new LogThrottle(timers);
    }

    boolean isFine() {
        return state.get() == null;
    }

    /** Begins to suspect, if the backlog is over the bound and nobody does yet. */
    void look() {
        if (!isFine() || pending.getAsInt() <= BOUND) {
            return;
        }
        Behind suspected = new Behind(timers.nanoTime(), Phase.SUSPECTED);
        if (state.compareAndSet(null, suspected)) {
            checkLater(suspected);
        }
    }

    private void checkLater(Behind suspected) {
        try {
            timeout = timers.schedule(PATIENCE, () -> check(suspected));
        } catch (Throwable e) {
            // The timer can get no thread, say. An alarm is worth neither the thread that calls the handler nor the
            // list that a failing publication costs; whoever looks next suspects anew.
            state.compareAndSet(suspected, null);
            return;
        }
        if (closed) {
            timeout.cancel();
        }
    }

    private void check(Behind suspected) {
        if (closed || state.get() != suspected) {
            return;
        }
        int now = pending.getAsInt();
        if (now <= BOUND) {
            state.compareAndSet(suspected, null);
            look(); // who added something meanwhile found the suspicion, and left it at that
        } else if (!warnsNow.now()) {
            checkLater(suspected);
        } else {
            warn(suspected, now);
        }
    }

    private void warn(Behind suspected, int now) {
        Behind warning = suspected.in(Phase.WARNING);
        if (!state.compareAndSet(suspected, warning)) {
            return;
        }
        try {
            alarm.fellBehind(now, age(suspected));
        } finally {
            if (!state.compareAndSet(warning, suspected.in(Phase.WARNED))) {
                recovered(suspected); // relax() was called meanwhile
                look();
            }
        }
    }

    private void recovered(Behind behind) {
        state.set(null);
        alarm.caughtUp(age(behind));
    }

    /** Ends the suspicion if little is left; the handler's thread says so whenever it has done what it took. */
    void relax() {
        Behind behind = state.get();
        if (behind == null || pending.getAsInt() > BOUND / 2) {
            return;
        }
        timeout.cancel();
        // The timer thread may move the phase on meanwhile; a phase never goes back, so this ends after a few turns.
        while (behind != null && !isRelaxed(behind)) {
            behind = state.get();
        }
    }

    /** Ends the episode, or leaves that to the thread inside the alarm; returns false if the phase has changed. */
    private boolean isRelaxed(Behind behind) {
        return switch (behind.phase) {
            case SUSPECTED -> state.compareAndSet(behind, null);
            case WARNING -> state.compareAndSet(behind, behind.in(Phase.RECOVERED_WHILE_WARNING));
            case RECOVERED_WHILE_WARNING -> true;
            case WARNED -> {
                boolean ended = state.compareAndSet(behind, null);
                if (ended) {
                    alarm.caughtUp(age(behind));
                }
                yield ended;
            }
        };
    }

    private Duration age(Behind behind) {
        return Duration.ofNanos(timers.nanoTime() - behind.sinceNanos);
    }

    /** Returns since when the handler has been behind, by the states above; null if it is not. */
    @Nullable
    Instant since() {
        Behind behind = state.get();
        return behind == null ? null : timers.now().minus(age(behind));
    }

    /** Says nothing any more. */
    @Override
    public void close() {
        closed = true;
        timeout.cancel();
    }
}
