/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.apiserver.storage.SleepObserver;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The frames of a watch that withholds everything until a time has passed. One thread reads; any thread may close. */
final class DelayedFrames extends OpenFrames {

    /* The observer is called under the lock, as that of an event log is. */

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();

    @GuardedBy("lock")
    private boolean withheld = true;

    @GuardedBy("lock")
    private boolean asleep;

    @GuardedBy("lock")
    private SleepObserver observer = SleepObserver.NONE;

    private final Scheduler.Task end;

    DelayedFrames(ServerResponse.Frames frames, Scheduler scheduler, Duration delay) {
        super(frames, closed -> {});
        end = scheduler.schedule(delay, this::release);
    }

    @Override
    public void observe(SleepObserver other) {
        lock.lock();
        try {
            observer = other;
        } finally {
            lock.unlock();
        }
        super.observe(other);
    }

    @Override
    public @Nullable WatchFrame next() throws InterruptedException {
        awaitRelease();
        return super.next();
    }

    @Override
    public boolean hasMore() {
        lock.lock();
        try {
            return !withheld && super.hasMore();
        } finally {
            lock.unlock();
        }
    }

    private void awaitRelease() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            sleep();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void sleep() throws InterruptedException {
        try {
            while (withheld) {
                if (!asleep) {
                    asleep = true;
                    observer.sleeps();
                }
                released.await();
            }
        } finally {
            wake();
        }
    }

    private void release() {
        lock.lock();
        try {
            withheld = false;
            wake();
            released.signal();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void wake() {
        if (asleep) {
            asleep = false;
            observer.wakes();
        }
    }

    @Override
    public void close() {
        end.cancel();
        super.close();
        release();
    }
}
