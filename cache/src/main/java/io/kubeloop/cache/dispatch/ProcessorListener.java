/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.KubeObject;
import io.kubeloop.cache.CacheSyncTimeoutException;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.InformerHealth.HandlerHealth;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.dispatch.Notification.Added;
import io.kubeloop.cache.dispatch.Notification.Batch;
import io.kubeloop.cache.dispatch.Notification.Unchanged;
import io.kubeloop.cache.store.StoreSnapshot;
import io.kubeloop.runtime.Durations;
import io.kubeloop.runtime.LogThrottle;
import io.kubeloop.runtime.OneShotLatch;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One handler with its thread and its backlog (upstream: {@code cache.processorListener}).
 *
 * <p>The backlog has no limit. A limit would block the one thread that serves all handlers and the cache. Instead,
 * {@link HandlerHealth} shows the backlog, and {@link BacklogMonitor} reports a long one.
 */
public final class ProcessorListener<T extends KubeObject> implements Registration {

    /*
     * Invariants:
     *   L1  One thread calls the handler, in the order in which notifications were added. So the changes of one object
     *       arrive in the server's order. Exception: after a gap in the watch, several changes of an object may arrive
     *       as one.
     *   L2  synced is set when the end of the initial list is reached: everything in the first list was handled before.
     *       A call that threw counts as handled: a handler that fails on one object must not prevent a controller from
     *       starting.
     *   L3  After stop(), at most one call runs or begins: the one whose check of closed came before. Pending
     *       notifications are dropped.
     *   L4  pending = added - handled. added is written under the lock, handled by the listener's thread alone.
     *   L5  The replay is the first notification: the thread takes nothing before it is known. Changes of commits that
     *       the replay includes are skipped.
     *   L6  The array of a burst is freed once the burst has been handled.
     *
     * The lock is held for short moments: never while the handler runs, and together with no other lock. The thread
     * kubeloop-handler-... runs run() and what it calls. The processing thread adds, the registering thread replays,
     * the timer thread decides resyncs. Any thread calls the rest.
     */

    private static final Logger LOG = LoggerFactory.getLogger(ProcessorListener.class);
    private static final Duration SLOW_CALL = Duration.ofMillis(100);

    private final Consumer<ProcessorListener<T>> whenClosed;
    private final String informer;
    private final String name;
    private final ResourceEventHandler<T> handler;
    private final Scheduler scheduler;
    private final Thread thread;
    private final UserCallbacks guard;
    private final LogThrottle logsSlowness;
    private final BacklogMonitor.Backlog backlog;

    /** Released when the first list was handled or the listener was closed, whichever comes first. */
    private final OneShotLatch settled = new OneShotLatch();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived;

    @GuardedBy("lock")
    private ArrayList<@Nullable Batch<T>> pendingNotifications = new ArrayList<>();

    @GuardedBy("lock")
    private boolean replayed;

    @GuardedBy("lock")
    private Duration resyncPeriod = Duration.ZERO;

    @GuardedBy("lock")
    private long nextResync;

    @GuardedBy("lock")
    private boolean syncing = true;

    /**
     * True while a resync is due and not yet in the backlog. If the processing thread lags, the timer may have checked
     * the times again meanwhile. A {@code DeltaFifo} delivers single changes; for these only the last check counts, as
     * upstream.
     */
    @GuardedBy("lock")
    private boolean resyncOwed;

    /** Listener's thread only. */
    private ArrayList<@Nullable Batch<T>> taken = new ArrayList<>();

    /** Written before the thread takes the replay, then constant. */
    private long replayedCommit;

    private volatile long added;
    private volatile long handled;
    private volatile long failed;
    private volatile boolean synced;
    private volatile boolean closed;

    /**
     * Creates a listener, and its thread, which is not started. Runs user code: the name of the handler, and the thread
     * factory.
     *
     * @param whenClosed must call {@link #stop}
     */
    ProcessorListener(
            String informer,
            int number,
            ResourceEventHandler<T> handler,
            Scheduler scheduler,
            OwnedThreads threads,
            BacklogMonitor backlogs,
            Consumer<ProcessorListener<T>> whenClosed) {
        this.informer = informer;
        this.name = handler.handlerName();
        this.handler = handler;
        this.scheduler = scheduler;
        this.whenClosed = whenClosed;
        this.arrived = scheduler.newCondition(lock);
        this.guard = new UserCallbacks(scheduler);
        this.logsSlowness = new LogThrottle(scheduler);
        this.backlog = backlogs.add(name, this::pending);
        this.thread = threads.prepare("kubeloop-handler-" + informer + "-" + number, this::run);
    }

    Thread thread() {
        return thread;
    }

    /** Puts the cached objects before everything that was added. */
    void replay(StoreSnapshot<T> snapshot, Duration resyncEvery) {
        long now = scheduler.nanoTime();
        lock.lock();
        try {
            resyncPeriod = resyncEvery;
            nextResync = now + Durations.nanos(resyncEvery);
            replayedCommit = snapshot.commit();
            replayed = true;
            enqueue(0, Batch.ofCache(snapshot.objects(), object -> new Added<>(object, true, EventCause.REPLAY)));
        } finally {
            lock.unlock();
        }
    }

    /** Adds notifications. The caller must call {@link #observeBacklog} once it has added them to all listeners. */
    void add(Batch<T> batch) {
        lock.lock();
        try {
            enqueue(pendingNotifications.size(), syncing ? batch : batch.withoutRepeats());
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    @SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock
    private void enqueue(int position, Batch<T> batch) {
        pendingNotifications.add(position, batch);
        added += batch.calls();
        arrived.signal();
    }

    /** Decides whether the handler takes part in the current resync. */
    boolean decideResync(long now) {
        lock.lock();
        try {
            syncing = !resyncPeriod.isZero() && now - nextResync >= 0;
            if (syncing) {
                nextResync = now + Durations.nanos(resyncPeriod);
                resyncOwed = true;
            }
            return syncing;
        } finally {
            lock.unlock();
        }
    }

    /** Adds the cached objects if a resync is due. */
    void resync(List<T> objects) {
        lock.lock();
        try {
            if (resyncOwed) {
                resyncOwed = false;
                enqueue(
                        pendingNotifications.size(),
                        Batch.ofCache(objects, object -> new Unchanged<>(object, object, EventCause.RESYNC)));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Reports a long backlog. Callers must not hold a lock. */
    void observeBacklog() {
        backlog.observe();
    }

    /** Calls the handler until closed. Blocks while the backlog is empty; an interrupt has no effect. */
    private void run() {
        while (!closed) {
            take();
            backlog.observe();
            for (int i = 0; i < taken.size() && !closed; i++) {
                deliver(Objects.requireNonNull(taken.set(i, null))); // null makes the delivered batch unreachable
            }
            boolean large = taken.size() > BacklogMonitor.BOUND;
            taken.clear();
            if (large) {
                taken.trimToSize();
            }
            backlog.recover();
        }
    }

    /** Moves the backlog to taken, which is empty. Waits until there is one or the listener is closed. */
    private void take() {
        lock.lock();
        try {
            while (!closed && (!replayed || pendingNotifications.isEmpty())) {
                arrived.awaitUninterruptibly();
            }
            ArrayList<@Nullable Batch<T>> empty = taken;
            taken = pendingNotifications;
            pendingNotifications = empty;
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void deliver(Batch<T> batch) {
        if (batch.isInitialListEnd()) {
            synced = true;
            settled.release();
        } else if (batch.commit() > replayedCommit) {
            batch.notifications().forEach(this::call);
        } else {
            handled += batch.calls();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void call(Notification<T> notification) {
        if (closed) {
            return;
        }
        boolean behind = added - handled > BacklogMonitor.BOUND;
        long start = behind ? scheduler.nanoTime() : 0;
        try {
            notification.deliverTo(handler);
        } catch (Throwable e) {
            // Other notifications and other handlers are not affected.
            failed++;
            guard.failed(
                    e,
                    failure -> LOG.warn(
                            "{}: handler {} failed on {} ({} times so far)",
                            informer,
                            name,
                            notification.key(),
                            failed,
                            failure));
        } finally {
            handled++;
            UserCallbacks.clearInterrupt();
        }
        if (behind) {
            logIfSlow(scheduler.nanoTime() - start);
        }
    }

    private void logIfSlow(long nanos) {
        if (nanos > SLOW_CALL.toNanos() && logsSlowness.now()) {
            UserCallbacks.run(() -> LOG.warn(
                    "{}: handler {} took {} ms for one call while {} notifications are pending",
                    informer,
                    name,
                    nanos / 1_000_000,
                    pending()));
        }
    }

    @Override
    public boolean hasSynced() {
        return synced;
    }

    @Override
    public void awaitSync(Duration timeout) throws InterruptedException {
        settled.await(scheduler, timeout);
        if (!synced) {
            throw new CacheSyncTimeoutException(informer + ": handler " + name + " has not handled the first list "
                    + (closed ? "before it was removed" : "within " + timeout) + ": " + pending()
                    + " notifications are pending");
        }
    }

    @Override
    public int pending() {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(0, added - handled));
    }

    HandlerHealth health() {
        return new HandlerHealth(name, synced, pending(), backlog.since(), handled, failed);
    }

    /** Ends the thread after its running call, and drops pending notifications. Does not wait. */
    void stop() {
        backlog.close();
        lock.lock();
        try {
            closed = true;
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        settled.release();
    }

    @Override
    public void close() {
        whenClosed.accept(this);
    }

    @Override
    public boolean closeAndAwait(Duration timeout) throws InterruptedException {
        close();
        if (Thread.currentThread() == thread) {
            return false;
        }
        // A thread that has not been started will not call a closed handler, so join may return at once.
        thread.join(Math.max(1, Durations.millis(timeout)));
        return !thread.isAlive();
    }
}
