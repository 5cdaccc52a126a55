/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import io.kubeloop.runtime.LogThrottle;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects a handler that falls behind, and its recovery. A handler is behind when more than {@link #BOUND} calls have
 * been pending for {@link #PATIENCE}; a burst, such as the first list, is not reported. Each episode is reported once,
 * at most one per minute, followed by its recovery. Thread-safe.
 */
public final class BacklogMonitor implements AutoCloseable {

    /*
     *   FINE ──observe()──► SUSPECTED ──check() after PATIENCE──► WARNING ──alarm returned──► WARNED
     *    ▲                      │                                   │                           │
     *    ├──────recover()───────┘                               recover()                   recover()
     *    │                                                         ▼                           │
     *    ├───────────────alarm returned───────── RECOVERED_WHILE_WARNING                       │
     *    └─────────────────────────────────────────────────────────────────────────────────────┘
     *
     * FINE is null; the other phases are those of a Behind. state moves by compare-and-set, so each warning is followed
     * by exactly one recovery. In the phase WARNING the timer thread is inside the alarm: recover() then leaves the
     * recovery to that thread, so the log never shows a recovery before its warning.
     *
     * There is no lock. This class schedules tasks and raises alarms, so callers of observe() and recover() must not
     * hold a lock either. The processing and the handler thread call observe(), the timer thread check(), the handler
     * thread recover(), and any thread the rest.
     */

    /** More pending calls than this are a long backlog. */
    public static final int BOUND = 1024;

    /** The time for which a backlog must stay above the bound before it is reported. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Receives the reports. Called without a lock, by the timer thread and the handler's thread; must not block. */
    interface Alarm {

        /** The handler has had more than the bound of pending calls for this time. */
        void fellBehind(int pending, Duration age);

        /** The handler has recovered after this time. */
        void caughtUp(Duration age);
    }

    private static final Logger LOG = LoggerFactory.getLogger(BacklogMonitor.class);

    private final Scheduler scheduler;
    private final IntSupplier pending;
    private final Alarm alarm;

    private final AtomicReference<@Nullable Behind> state = new AtomicReference<>();
    private volatile Scheduler.Task timeout = () -> {};
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

    BacklogMonitor(Scheduler scheduler, IntSupplier pending, Alarm alarm) {
        this.scheduler = scheduler;
        this.pending = pending;
        this.alarm = alarm;
        this.warnsNow = new LogThrottle(scheduler);
    }

    /** Returns an alarm that logs. */
    static Alarm logging(String informer, String handler) {
        return new LoggedAlarm(informer, handler);
    }

    private record LoggedAlarm(String informer, String handler) implements Alarm {

        @Override
        public void fellBehind(int pending, Duration age) {
            UserCallbacks.run(() -> LOG.warn(
                    "{}: handler {} is behind: {} notifications are pending, more than {} for {} s",
                    informer,
                    handler,
                    pending,
                    BOUND,
                    age.toSeconds()));
        }

        @Override
        public void caughtUp(Duration age) {
            UserCallbacks.run(
                    () -> LOG.info("{}: handler {} has caught up, after {} s", informer, handler, age.toSeconds()));
        }
    }

    boolean isFine() {
        return state.get() == null;
    }

    /** Starts an episode if the backlog is over the bound and no episode has started. */
    void observe() {
        if (!isFine() || pending.getAsInt() <= BOUND) {
            return;
        }
        Behind suspected = new Behind(scheduler.nanoTime(), Phase.SUSPECTED);
        if (state.compareAndSet(null, suspected)) {
            checkLater(suspected);
        }
    }

    private void checkLater(Behind suspected) {
        try {
            timeout = scheduler.schedule(PATIENCE, () -> check(suspected));
        } catch (Throwable e) {
            // The timer cannot get a thread, for example. A report must not end the thread that calls the handler, nor
            // fail a publication. The next call starts a new episode.
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
            observe(); // a thread that added calls meanwhile found this episode and did not start another
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
                recovered(suspected); // recover() was called meanwhile
                observe();
            }
        }
    }

    private void recovered(Behind behind) {
        state.set(null);
        alarm.caughtUp(age(behind));
    }

    /** Ends the episode if the backlog is down to half the bound. The handler's thread calls this after each batch. */
    void recover() {
        Behind behind = state.get();
        if (behind == null || pending.getAsInt() > BOUND / 2) {
            return;
        }
        timeout.cancel();
        // The timer thread may change the phase meanwhile. A phase never goes back, so this ends after a few
        // iterations.
        while (behind != null && !isRecovered(behind)) {
            behind = state.get();
        }
    }

    /** Ends the episode, or leaves that to the thread inside the alarm. Returns false if the phase has changed. */
    private boolean isRecovered(Behind behind) {
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
        return Duration.ofNanos(scheduler.nanoTime() - behind.sinceNanos);
    }

    /** Returns the start of the current episode, suspected ones included; null if there is none. */
    @Nullable
    Instant since() {
        Behind behind = state.get();
        return behind == null ? null : scheduler.now().minus(age(behind));
    }

    /** Ends all reports. */
    @Override
    public void close() {
        closed = true;
        timeout.cancel();
    }
}
