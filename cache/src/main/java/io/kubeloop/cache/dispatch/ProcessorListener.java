package io.kubeloop.cache.dispatch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.cache.CacheSyncTimeoutException;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.InformerHealth.HandlerHealth;
import io.kubeloop.cache.InformerTrace;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.runtime.Durations;
import io.kubeloop.runtime.LogThrottle;
import io.kubeloop.runtime.OneShotLatch;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.ParkableCondition;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
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
     *   L2  synced is set when InitialListEnd is reached: everything in the first list was handled before. A call that
     *       threw counts as handled: a handler that fails on one object must not prevent a controller from starting.
     *   L3  After stop(), at most one call runs or begins: the one whose check of closed came before. Pending
     *       notifications are dropped.
     *   L4  pending = added - handled. added is written under the lock, handled by the listener's thread alone.
     *   L5  A backlog that cannot grow for lack of memory keeps its content. So it is a list; an ArrayDeque would
     *       appear empty then.
     *   L6  The array of a burst is freed once the burst has been handled.
     *
     * lock guards pendingNotifications, and is held for short moments only, never while the handler runs.
     * It is taken under the processor's lock, which guards resyncPeriod, nextResync, syncing and resyncOwed. Between
     * reserve() and release(), the processing thread holds it across the commit.
     * The thread kubeloop-handler-... runs run(). The processing thread, or the registering thread, adds. Any thread
     * calls the rest.
     */

    private static final Logger LOG = LoggerFactory.getLogger(ProcessorListener.class);
    private static final Duration SLOW_CALL = Duration.ofMillis(100);

    private final String informer;
    private final String name;
    private final ResourceEventHandler<T> handler;
    private final Scheduler scheduler;
    private final SharedProcessor<T> processor;

    private final OwnedThreads threads;
    private final Thread thread;

    private Duration resyncPeriod = Duration.ZERO;
    private long nextResync;
    private boolean syncing = true;
    private boolean resyncOwed;

    private final ReentrantLock lock = new ReentrantLock();
    private final ParkableCondition arrived;
    private ArrayList<@Nullable Notification<T>> pendingNotifications = new ArrayList<>();

    /** Listener's thread only. */
    private ArrayList<@Nullable Notification<T>> taken = new ArrayList<>();

    private volatile long added;
    private volatile long handled;
    private volatile long failed;

    /** Fired when the first list was handled or the listener was closed, whichever comes first. */
    private final OneShotLatch settled = new OneShotLatch();

    private volatile boolean synced;
    private volatile boolean closed;

    private final UserCallbacks guard;
    private final LogThrottle logsSlowness;

    private final BacklogMonitor backlog;

    @SuppressWarnings("unchecked") // a handler of a wider type accepts these objects, and only reads a deletion
    ProcessorListener(
            String informer,
            int number,
            ResourceEventHandler<? super T> handler,
            Scheduler scheduler,
            OwnedThreads threads,
            SharedProcessor<T> processor) {
        this.informer = informer;
        this.name = handler.handlerName();
        this.handler = (ResourceEventHandler<T>) handler;
        this.scheduler = scheduler;
        this.arrived = new ParkableCondition(lock.newCondition(), scheduler);
        this.processor = processor;
        this.threads = threads;
        this.thread = threads.prepareBusy(scheduler, "kubeloop-handler-" + informer + "-" + number, this::run);
        this.guard = new UserCallbacks(scheduler);
        this.logsSlowness = new LogThrottle(scheduler);
        this.backlog = new BacklogMonitor(scheduler, this::pending, new LoggedAlarm(informer, name));
    }

    /** Sets the handler's resync period; zero for never. */
    void resyncEvery(Duration period) {
        resyncPeriod = period;
        nextResync = scheduler.nanoTime() + Durations.nanos(period);
    }

    void start() {
        threads.startBusy(scheduler, thread);
    }

    /** Decides whether the handler takes part in the current resync. */
    boolean decideResync(long now) {
        syncing = !resyncPeriod.isZero() && now - nextResync >= 0;
        if (syncing) {
            nextResync = now + Durations.nanos(resyncPeriod);
            resyncOwed = true;
        }
        return syncing;
    }

    /**
     * Returns whether a resync is due and not yet in the backlog. If the processing thread lags, the timer may have
     * checked the resync times again in the meantime. A {@code DeltaFifo} delivers single changes; for these only the
     * last check counts, as upstream.
     */
    boolean isResyncOwed() {
        return resyncOwed;
    }

    void resyncDelivered() {
        resyncOwed = false;
    }

    void add(Notification<T> notification) {
        lock.lock();
        try {
            enqueue(notification);
            wake();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Locks the backlog and reserves space for this many notifications, so that {@link #append} allocates nothing. The
     * caller must call {@link #release} on the same thread, and must not block in between. If memory is short, this
     * throws and leaves the backlog unlocked and unchanged.
     */
    void reserve(int notifications) {
        lock.lock();
        boolean reserved = false;
        try {
            long needed = (long) pendingNotifications.size() + notifications;
            pendingNotifications.ensureCapacity((int) Math.min(Integer.MAX_VALUE, needed));
            reserved = true;
        } finally {
            if (!reserved) {
                lock.unlock();
            }
        }
    }

    /**
     * Adds notifications between {@link #reserve} and {@link #release}. Skips those that only repeat an object, unless
     * the handler is due for a resync.
     *
     * @return whether {@link #checkBacklog} is due, which callers must call without any lock
     */
    boolean append(List<Notification<T>> notifications) {
        for (int i = 0; i < notifications.size(); i++) {
            Notification<T> notification = notifications.get(i);
            if (syncing || !(notification instanceof Notification.Unchanged)) {
                enqueue(notification);
            }
        }
        return pending() > BacklogMonitor.BOUND && backlog.isFine();
    }

    /** Unlocks the backlog, and wakes the handler's thread if it waits. */
    void release() {
        try {
            wake();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // guarded by lock
    private void enqueue(Notification<T> notification) {
        pendingNotifications.add(notification);
        added += notification.calls();
    }

    private void wake() {
        arrived.signal();
    }

    /** Calls the handler until closed. Blocks while the backlog is empty; an interrupt has no effect. */
    private void run() {
        while (!closed) {
            take();
            observeBacklog();
            for (int i = 0; i < taken.size() && !closed; i++) {
                deliver(Objects.requireNonNull(
                        taken.set(i, null))); // null makes the delivered notification unreachable
            }
            boolean large = taken.size() > BacklogMonitor.BOUND;
            taken.clear();
            if (large) {
                taken.trimToSize(); // frees the array of a burst; allocates nothing, because the list is empty
            }
            recoverBacklog();
        }
    }

    /** Reports a long backlog. If an injected clock throws, the report is lost, but the handler's thread continues. */
    private void observeBacklog() {
        try {
            backlog.observe();
        } catch (Throwable e) {
            failedToReport(e);
        }
    }

    private void recoverBacklog() {
        try {
            backlog.recover();
        } catch (Throwable e) {
            failedToReport(e);
        }
    }

    private void failedToReport(Throwable e) {
        try {
            guard.failed(
                    e, failure -> LOG.warn("{}: cannot report the backlog of handler {}", informer, name, failure));
        } catch (Throwable logFailure) {
            // Memory is too short for the log line.
        }
    }

    void checkBacklog() {
        backlog.observe();
    }

    /** Moves all pending notifications to taken, which is empty. Waits until there are some or the listener is closed. */
    private void take() {
        lock.lock();
        try {
            while (pendingNotifications.isEmpty() && !closed) {
                arrived.awaitUninterruptibly();
            }
            ArrayList<@Nullable Notification<T>> empty = taken;
            taken = pendingNotifications;
            pendingNotifications = empty;
        } finally {
            lock.unlock();
        }
    }

    private void deliver(Notification<T> notification) {
        if (notification instanceof Notification.Replay<T> replay) {
            for (T object : replay.objects()) {
                if (closed) {
                    return;
                }
                call(new Notification.Added<>(object, true, EventCause.REPLAY));
            }
        } else if (notification instanceof Notification.Resync<T> resync) {
            for (T object : resync.objects()) {
                if (closed) {
                    return;
                }
                call(new Notification.Unchanged<>(object, object, EventCause.RESYNC));
            }
        } else if (notification instanceof Notification.InitialListEnd) {
            synced = true;
            settled.release();
        } else {
            call(notification);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void call(Notification<T> notification) {
        boolean behind = added - handled > BacklogMonitor.BOUND;
        long start = 0;
        if (behind) {
            try {
                start = scheduler.nanoTime();
            } catch (Throwable e) {
                behind = false; // the handler is called all the same
                failedToReport(e);
            }
        }
        passed(InformerTrace.Place.CALLED, notification);
        InformerTrace.Place outcome = InformerTrace.Place.RETURNED;
        try {
            if (notification instanceof Notification.Updated<T> updated) {
                handler.onUpdate(updated.oldObject(), updated.newObject(), updated.cause());
            } else if (notification instanceof Notification.Added<T> added) {
                handler.onAdd(added.object(), added.isInInitialList(), added.cause());
            } else if (notification instanceof Notification.Deleted<T> deleted) {
                handler.onDelete(deleted.deleted(), deleted.cause());
            } else if (notification instanceof Notification.Unchanged<T> shown) {
                handler.onUpdate(shown.oldObject(), shown.newObject(), shown.cause());
            }
        } catch (Throwable e) {
            // Other notifications and other handlers are not affected.
            failed++;
            outcome = InformerTrace.Place.FAILED;
            report(notification, e);
        } finally {
            handled++;
            UserCallbacks.clearInterrupt();
        }
        passed(outcome, notification);
        if (behind) {
            reportSlowness(start);
        }
    }

    private void passed(InformerTrace.Place place, Notification<T> notification) {
        if (processor.meter().isWatched()) {
            processor.meter().trace(Passages.of(place, notification, name));
        }
    }

    private void report(Notification<T> notification, Throwable e) {
        try {
            guard.failed(e, failure -> logFailure(notification, failure));
        } catch (Throwable logFailure) {
            // Memory is too short for the log line; the next notification must be delivered all the same.
        }
    }

    private void reportSlowness(long start) {
        try {
            logSlowness(scheduler.nanoTime() - start);
        } catch (Throwable e) {
            failedToReport(e);
        }
    }

    private void logFailure(Notification<T> notification, Throwable e) {
        LOG.warn("{}: handler {} failed on {} ({} times so far)", informer, name, key(notification), failed, e);
    }

    private void logSlowness(long nanos) {
        if (nanos > SLOW_CALL.toNanos() && logsSlowness.now()) {
            LOG.warn(
                    "{}: handler {} took {} ms for one call while {} notifications are pending",
                    informer,
                    name,
                    nanos / 1_000_000,
                    pending());
        }
    }

    /** Logs the episodes of a handler. */
    private record LoggedAlarm(String informer, String handler) implements BacklogMonitor.Alarm {

        @Override
        public void fellBehind(int pending, Duration age) {
            UserCallbacks.run(() -> LOG.warn(
                    "{}: handler {} is behind: {} notifications are pending, more than {} for {} s",
                    informer,
                    handler,
                    pending,
                    BacklogMonitor.BOUND,
                    age.toSeconds()));
        }

        @Override
        public void caughtUp(Duration age) {
            UserCallbacks.run(
                    () -> LOG.info("{}: handler {} has caught up, after {} s", informer, handler, age.toSeconds()));
        }
    }

    private static Object key(Notification<? extends KubeObject> notification) {
        if (notification instanceof Notification.Added<? extends KubeObject> added) {
            return added.object().objectName();
        }
        if (notification instanceof Notification.Updated<? extends KubeObject> updated) {
            return updated.newObject().objectName();
        }
        if (notification instanceof Notification.Unchanged<? extends KubeObject> shown) {
            return shown.newObject().objectName();
        }
        return notification instanceof Notification.Deleted<? extends KubeObject> deleted
                ? deleted.deleted().name()
                : "?";
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
        processor.remove(this);
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
