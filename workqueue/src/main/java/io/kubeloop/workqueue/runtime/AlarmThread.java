package io.kubeloop.workqueue.runtime;

import io.kubeloop.workqueue.AlarmClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An alarm that rings on a thread of its own. Thread-safe. */
public final class AlarmThread implements AlarmClock.Alarm {

    // Invariants
    //   A1  The action runs on the alarm's thread only, and without the lock.
    //   A2  If set and not closed, the thread runs and wakes at the latest at ringTime: ringAt signals whenever it
    //       makes ringTime earlier, and the thread looks at ringTime under the lock before it waits.
    //   A3  A ring clears `set` before the action runs: a ringAt during the action rings again afterwards.
    //   A4  At most one thread runs; `ended` opens when it leaves the loop, or when there will be none.
    //   A5  When ringAt returns normally, the thread runs or the alarm is closed. A caller that finds another one in
    // the
    //       thread factory waits for the outcome, and starts the thread itself if the other one failed. The exception
    //       is the factory itself calling ringAt: it returns at once, and the call of the factory decides.
    // The thread factory is the user's code, and runs outside the lock (I13).

    /** How long close waits: only an action that hangs takes longer, and it must not hang the one who closes. */
    private static final long CLOSE_SECONDS = 5;

    private final String name;
    private final Runnable action;
    private final ThreadFactory threads;
    private final CountDownLatch ended = new CountDownLatch(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Condition changedStarter = lock.newCondition();

    /** Guarded by lock. */
    private boolean set;

    /** Guarded by lock; means something while set. */
    private long ringTime;

    /** Guarded by lock; means that the thread runs, or that a caller is starting it. */
    private boolean started;

    /** Guarded by lock; the caller that is starting the thread, or null. */
    private @Nullable Thread starter;

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
            while (starter != null && starter != Thread.currentThread() && !closed) {
                changedStarter.awaitUninterruptibly();
            }
            start = !started && !closed;
            if (start) {
                started = true;
                starter = Thread.currentThread();
            }
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
            Thread made = threads.newThread(this::run);
            if (made == null) {
                throw new IllegalStateException("the thread factory returned null");
            }
            made.setName(name);
            made.start();
            running = true;
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "Cannot start thread " + name + ": " + e.getMessage()
                            + "; delayed items stay in the queue, and its next call tries again",
                    e);
        } finally {
            endStart(running);
        }
    }

    /** After a failure, the callers that wait and the next ringAt try again. */
    private void endStart(boolean running) {
        lock.lock();
        try {
            starter = null;
            started = running;
            if (closed && !running) {
                ended.countDown();
            }
            changedStarter.signalAll();
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
                    UserCode.report(e);
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
            changedStarter.signalAll();
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
