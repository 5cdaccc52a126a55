/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import io.kubeloop.runtime.LogThrottle;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the handlers of one informer that fall behind, and their recovery. A handler is behind when more than
 * {@link #BOUND} calls have been pending for {@link #PATIENCE}; a burst, such as the first list, is not logged. Each
 * episode is logged once, at most one per minute and handler. Thread-safe.
 */
public final class BacklogMonitor implements AutoCloseable {

    /*
     * A task checks all backlogs every PATIENCE while one of them is long. Only this task writes the log, so no
     * recovery precedes its warning. A thread that finds a long backlog begins the episode and then schedules the
     * task, unless it is scheduled; the task clears that mark before it looks for episodes a last time.
     */

    /** More pending calls than this are a long backlog. */
    public static final int BOUND = 1024;

    /** The time for which a backlog must stay above the bound before it is logged, and between two checks. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(BacklogMonitor.class);

    private final String informer;
    private final Scheduler scheduler;
    private final List<Backlog> backlogs = new CopyOnWriteArrayList<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile Scheduler.Task next = () -> {};
    private volatile boolean closed;

    BacklogMonitor(String informer, Scheduler scheduler) {
        this.informer = informer;
        this.scheduler = scheduler;
    }

    /** Adds the backlog of a handler; the supplier returns the number of its pending calls. */
    Backlog add(String handler, IntSupplier pending) {
        Backlog added = new Backlog(handler, pending);
        backlogs.add(added);
        return added;
    }

    /** Callers must not hold a lock: the scheduler is user code. */
    private void schedule() {
        if (!closed && scheduled.compareAndSet(false, true)) {
            next = scheduler.schedule(PATIENCE, this::check);
            if (closed) {
                next.cancel();
            }
        }
    }

    private void check() {
        backlogs.forEach(Backlog::check);
        scheduled.set(false);
        if (backlogs.stream().anyMatch(Backlog::isUnderWatch)) {
            schedule();
        }
    }

    /** Ends all checks. */
    @Override
    public void close() {
        closed = true;
        next.cancel();
    }

    /** A time during which the backlog was long. Compared by identity. */
    private static final class Episode {
        final long start;

        Episode(long start) {
            this.start = start;
        }
    }

    /** The backlog of one handler. */
    final class Backlog implements AutoCloseable {

        private final String handler;
        private final IntSupplier pending;
        private final LogThrottle warnsNow = new LogThrottle(scheduler);
        private volatile @Nullable Episode episode;

        /** Written by the check. */
        private volatile @Nullable Episode logged;

        private Backlog(String handler, IntSupplier pending) {
            this.handler = handler;
            this.pending = pending;
        }

        /** Begins an episode if the backlog is long. Callers must not hold a lock. */
        void observe() {
            if (episode == null && pending.getAsInt() > BOUND) {
                episode = new Episode(scheduler.nanoTime());
                schedule();
            }
        }

        /** Ends the episode if the backlog is down to half the bound. For the handler's thread, after each batch. */
        void recover() {
            if (episode != null && pending.getAsInt() <= BOUND / 2) {
                episode = null;
            }
        }

        private void check() {
            Episode last = logged;
            Episode now = episode;
            if (last != null && last != now) {
                logged = null;
                UserCallbacks.run(() -> LOG.info(
                        "{}: handler {} has caught up, after {} s",
                        informer,
                        handler,
                        age(last).toSeconds()));
            }
            if (now == null || now == last || age(now).compareTo(PATIENCE) < 0) {
                return;
            }
            int count = pending.getAsInt();
            if (count <= BOUND) {
                episode = null;
                observe(); // a thread that added calls meanwhile found this episode and began no other
            } else if (warnsNow.now()) {
                logged = now;
                UserCallbacks.run(() -> LOG.warn(
                        "{}: handler {} is behind: {} notifications are pending, more than {} for {} s",
                        informer,
                        handler,
                        count,
                        BOUND,
                        age(now).toSeconds()));
            }
        }

        private boolean isUnderWatch() {
            return episode != null || logged != null;
        }

        private Duration age(Episode of) {
            return Duration.ofNanos(scheduler.nanoTime() - of.start);
        }

        /** Returns the start of the current episode, suspected ones included; null if there is none. */
        @Nullable
        Instant since() {
            Episode now = episode;
            return now == null ? null : scheduler.now().minus(age(now));
        }

        /** Ends the checks of this backlog. */
        @Override
        public void close() {
            backlogs.remove(this);
        }
    }
}
