package io.kubeloop.workqueue.runtime;

import io.kubeloop.runtime.UserCallbacks;
import io.kubeloop.workqueue.AlarmClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An alarm that rings on its own thread. Thread-safe. */
public final class AlarmThread implements AlarmClock.Alarm {

    // Invariants
    //   A1  The action runs only on the alarm's thread, without the lock.
    //   A2  If set and not closed, the thread runs, and wakes at ringTime or before: ringAt signals whenever it makes
    //       ringTime earlier, and the thread reads ringTime under the lock before it waits.
    //   A3  A ring clears `set` before the action runs, so a ringAt during the action rings again afterwards.
    //   A4  At most one thread runs. `ended` opens when it leaves the loop, or when none will be started.
    //   A5  When ringAt returns normally, the thread runs or the alarm is closed. While another caller runs the thread
    //       factory, ringAt waits for the outcome, and starts the thread itself if the other caller failed. Exception:
    //       if the factory itself calls ringAt, that call returns at once, and the call of the factory decides.
    // The thread factory is user code, and runs without the lock (I13).

    /** The longest wait of close, in seconds. Only an action that hangs takes longer, and must not block the caller of close. */
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

    /** Guarded by lock; valid while set. */
    private long ringTime;

    /** Guarded by lock; true while the thread runs or a caller is starting it, and after the thread has ended. */
    private boolean started;

    /** The caller that is starting the thread, or null. Guarded by lock. */
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

    /** Publishes the outcome of a start. After a failure, waiting callers and the next ringAt try again. */
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
                    UserCallbacks.report(e);
                }
            }
        } finally {
            ended.countDown();
        }
    }

    /** Waits until ringTime; returns false if the alarm is closed. */
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
                    // Only close ends this thread; an early wake-up is harmless.
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

    /** Waits for the end of a thread that has left the loop. */
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
