package io.kubeloop.workqueue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An alarm that rings on a thread of its own. Thread-safe. */
final class AlarmThread implements AlarmClock.Alarm {

    // Invariants
    //   A1  The action runs on the alarm's thread only, and without the lock.
    //   A2  If set and not closed, the thread runs and wakes at the latest at ringTime: ringAt signals whenever it
    //       makes ringTime earlier, and the thread looks at ringTime under the lock before it waits.
    //   A3  A ring clears `set` before the action runs: a ringAt during the action rings again afterwards.
    //   A4  At most one thread is started; `ended` opens when it leaves the loop, or when there will be none.
    // The thread factory is the user's code, and runs outside the lock (I13).

    /** How long close waits: only an action that hangs takes longer, and it must not hang the one who closes. */
    private static final long CLOSE_SECONDS = 5;

    private final String name;
    private final Runnable action;
    private final ThreadFactory threads;
    private final CountDownLatch ended = new CountDownLatch(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Guarded by lock. */
    private boolean set;

    /** Guarded by lock; means something while set. */
    private long ringTime;

    /** Guarded by lock. */
    private boolean started;

    /** Guarded by lock. */
    private boolean closed;

    /** Guarded by lock; null before the thread runs. */
    private @Nullable Thread thread;

    AlarmThread(String name, Runnable action, ThreadFactory threads) {
        this.name = name;
        this.action = action;
        this.threads = threads;
    }

    @Override
    public void ringAt(long nanoTime) {
        boolean start;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (!set || nanoTime - ringTime < 0) {
                set = true;
                ringTime = nanoTime;
                changed.signal();
            }
            start = !started;
            started = true;
        } finally {
            lock.unlock();
        }
        if (start) {
            start();
        }
    }

    private void start() {
        boolean running = false;
        try {
            Thread thread = threads.newThread(this::run);
            thread.setName(name);
            thread.start();
            running = true;
        } finally {
            if (!running) {
                forgetStart();
            }
        }
    }

    /** After a thread that could not be made: the next ringAt tries again. */
    private void forgetStart() {
        lock.lock();
        try {
            started = false;
            if (closed) {
                ended.countDown();
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (awaitRing()) {
                try {
                    action.run();
                } catch (Throwable e) {
                    Failures.report(e);
                }
            }
        } finally {
            ended.countDown();
        }
    }

    /** Waits until it is time to ring; returns false when closed. */
    private boolean awaitRing() {
        lock.lock();
        try {
            thread = Thread.currentThread();
            while (!closed) {
                long left = set ? ringTime - System.nanoTime() : Long.MAX_VALUE;
                if (left <= 0) {
                    set = false;
                    return true;
                }
                try {
                    changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    // Nobody may end this thread but close: waking early is harmless.
                }
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
            if (!started) {
                ended.countDown();
            }
            if (thread == Thread.currentThread()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        try {
            if (ended.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                joinThread();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the last steps of a thread that has left the loop. */
    private void joinThread() throws InterruptedException {
        Thread left;
        lock.lock();
        try {
            left = thread;
        } finally {
            lock.unlock();
        }
        if (left != null) {
            left.join();
        }
    }
}
