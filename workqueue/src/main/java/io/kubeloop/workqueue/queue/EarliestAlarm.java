/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue.queue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.Scheduler;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An action that runs once after each setting, at the earliest time that was set. Thread-safe.
 *
 * <p>Callers must not hold a lock: a setting may run the thread factory of the scheduler.
 */
final class EarliestAlarm {

    /*
     * Invariants, under the lock
     *   A1  When set returns normally, a task is scheduled for the time or before, or the action has begun after the
     *       call of set. A task that begins clears `current`, so a set during the action schedules another.
     *   A2  A task that has begun is never recorded as `current`, also if it begins before scheduleAt returns.
     * The scheduler and the action are called without the lock. set and cancel may be called by any thread; the action
     * runs on the scheduler's thread.
     */

    private final Scheduler scheduler;
    private final Runnable action;
    private final ReentrantLock lock = new ReentrantLock();

    /** The setting whose task waits; null if none does. */
    @GuardedBy("lock")
    private @Nullable Setting current;

    @GuardedBy("lock")
    private boolean cancelled;

    /** One task of the scheduler. Its mutable fields are guarded by the lock. */
    private static final class Setting {
        final long time;
        boolean begun;
        Scheduler.@Nullable Task task;

        Setting(long time) {
            this.time = time;
        }
    }

    EarliestAlarm(Scheduler scheduler, Runnable action) {
        this.scheduler = scheduler;
        this.action = action;
    }

    /** Sets the alarm; an earlier setting that waits applies to this one, too. Throws whatever the scheduler throws. */
    void set(long time) {
        if (isSetBefore(time)) {
            return;
        }
        Setting next = new Setting(time);
        Scheduler.Task unnecessary = record(next, scheduler.scheduleAt(time, () -> run(next)));
        if (unnecessary != null) {
            unnecessary.cancel();
        }
    }

    private boolean isSetBefore(long time) {
        lock.lock();
        try {
            return cancelled || (current != null && current.time - time <= 0);
        } finally {
            lock.unlock();
        }
    }

    /** Records a task that was scheduled; returns the one that is not necessary any more, or null. */
    private Scheduler.@Nullable Task record(Setting next, Scheduler.Task task) {
        lock.lock();
        try {
            Setting last = current;
            if (next.begun) {
                return null;
            }
            if (cancelled || (last != null && last.time - next.time <= 0)) {
                return task;
            }
            next.task = task;
            current = next;
            return last == null ? null : last.task;
        } finally {
            lock.unlock();
        }
    }

    private void run(Setting setting) {
        lock.lock();
        try {
            setting.begun = true;
            if (current == setting) {
                current = null;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    /** Cancels the task; later settings have no effect. Does not wait for an action that runs. */
    void cancel() {
        Scheduler.Task task;
        lock.lock();
        try {
            cancelled = true;
            task = current == null ? null : current.task;
            current = null;
        } finally {
            lock.unlock();
        }
        if (task != null) {
            task.cancel();
        }
    }
}
