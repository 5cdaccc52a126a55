/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

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

    /*
     * lock guards withheld, asleep and observer. The observer is called under it, as that of an event log is.
     */

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private boolean withheld = true;
    private boolean asleep;
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
            while (withheld) {
                if (!asleep) {
                    asleep = true;
                    observer.sleeps();
                }
                released.await();
            }
        } finally {
            wake();
            lock.unlock();
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
