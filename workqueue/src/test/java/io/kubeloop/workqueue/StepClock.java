/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.runtime.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A scheduler that moves by hand and runs tasks on the thread that moves it: the plainest thing that keeps to the
 * contract, because every step of it is a step that a schedule can be interrupted at. Thread-safe.
 */
final class StepClock implements Scheduler {

    private static final class Step {
        private final long at;
        private final Runnable body;

        Step(long at, Runnable body) {
            this.at = at;
            this.body = body;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Step> steps = new ArrayList<>();

    @GuardedBy("lock")
    private long now;

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanoTime());
    }

    @Override
    public long nanoTime() {
        lock.lock();
        try {
            return now;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Task scheduleAt(long nanoTime, Runnable body) {
        Step step = new Step(nanoTime, body);
        lock.lock();
        try {
            steps.add(step);
        } finally {
            lock.unlock();
        }
        return () -> cancel(step);
    }

    private void cancel(Step step) {
        lock.lock();
        try {
            steps.remove(step);
        } finally {
            lock.unlock();
        }
    }

    /** Moves the time on, running each task on the way at its own time. */
    void advance(long nanos) {
        long target = nanoTime() + nanos;
        for (Step step = next(target); step != null; step = next(target)) {
            step.body.run();
        }
    }

    private Step next(long target) {
        lock.lock();
        try {
            Step first = null;
            for (Step step : steps) {
                if (step.at <= target && (first == null || step.at < first.at)) {
                    first = step;
                }
            }
            now = Math.max(now, first == null ? target : first.at);
            if (first != null) {
                steps.remove(first);
            }
            return first;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {}
}
