/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.InformerHealth.HandlerHealth;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.dispatch.Notification.Batch;
import io.kubeloop.cache.store.ThreadSafeStore;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The handlers of one informer. Passes every notification to each of them (upstream: {@code cache.sharedProcessor}).
 * Thread-safe. No method blocks, except for the lock.
 */
public final class SharedProcessor<T extends KubeObject> implements Distributor<T> {

    /*
     * Invariants:
     *   P1  A listener receives the store as it was after some commit, then the changes of exactly the later commits.
     *       It enters the list before its snapshot is taken, and the processing thread commits before it reads the
     *       list. So a commit that the snapshot lacks finds the listener, and the listener skips a commit that the
     *       snapshot has.
     *   P2  A listener receives the end of the initial list once: after its replay if the first list was complete when
     *       it entered the list, otherwise when the list is complete.
     *   P3  A listener is in the list if and only if its thread runs or will be started by start().
     *
     * The list of listeners is immutable and replaced under the lock. The lock is held together with no other lock: not
     * with a listener's, and not with the store's. No user code runs under it, and no commit.
     * The processing thread distributes. The timer thread calls decideResync(). Any thread calls the rest.
     */

    private final String informer;
    private final Scheduler scheduler;
    private final OwnedThreads threads;
    private final ThreadSafeStore<ObjectName, T> store;
    private final BacklogMonitor backlogs;
    private final AtomicInteger named = new AtomicInteger();

    private final ReentrantLock lock = new ReentrantLock();
    private volatile List<ProcessorListener<T>> listeners = List.of();

    @GuardedBy("lock")
    private Duration checkPeriod;

    @GuardedBy("lock")
    private boolean started;

    @GuardedBy("lock")
    private boolean stopped;

    @GuardedBy("lock")
    private boolean synced;

    public SharedProcessor(
            String informer,
            Scheduler scheduler,
            OwnedThreads threads,
            ThreadSafeStore<ObjectName, T> store,
            Duration checkPeriod) {
        this.informer = informer;
        this.scheduler = scheduler;
        this.threads = threads;
        this.store = store;
        this.checkPeriod = checkPeriod;
        this.backlogs = new BacklogMonitor(informer, scheduler);
    }

    /**
     * Registers a handler, unless the processor is stopped. The handler receives the cached objects, then each later
     * change. Runs user code: the name of the handler, and the thread factory.
     *
     * @throws IllegalStateException if the processor is stopped
     */
    @SuppressWarnings("unchecked") // a handler of a wider type accepts these objects, and only reads a deletion
    public ProcessorListener<T> register(ResourceEventHandler<? super T> handler, Duration resyncPeriod) {
        ProcessorListener<T> listener = new ProcessorListener<>(
                informer,
                named.incrementAndGet(),
                (ResourceEventHandler<T>) handler,
                scheduler,
                threads,
                backlogs,
                this::remove);
        Duration period;
        boolean complete;
        lock.lock();
        try {
            if (stopped) {
                throw new IllegalStateException("cannot add a handler: the informer of " + informer + " is closed");
            }
            List<ProcessorListener<T>> more = new ArrayList<>(listeners);
            more.add(listener);
            if (started) {
                threads.start(listener.thread());
            }
            listeners = List.copyOf(more);
            period = effectivePeriod(resyncPeriod);
            complete = synced;
        } finally {
            lock.unlock();
        }
        listener.replay(store.snapshot(), period);
        if (complete) {
            listener.add(Batch.initialListEnd());
        }
        return listener;
    }

    /**
     * Returns the period to use. Before the start, the shortest period decides how often resyncs are checked;
     * afterwards that is fixed.
     */
    @GuardedBy("lock")
    private Duration effectivePeriod(Duration wanted) {
        if (wanted.isZero() || checkPeriod.isZero()) {
            return Duration.ZERO;
        }
        if (wanted.compareTo(checkPeriod) < 0) {
            if (started) {
                return checkPeriod;
            }
            checkPeriod = wanted;
        }
        return wanted;
    }

    private void remove(ProcessorListener<T> listener) {
        lock.lock();
        try {
            listeners = listeners.stream().filter(other -> other != listener).toList();
        } finally {
            lock.unlock();
        }
        listener.stop();
    }

    /** Starts a thread for each handler, now and for later handlers. Has no effect once stopped. */
    public void start() {
        lock.lock();
        try {
            if (!stopped) {
                started = true;
                listeners.forEach(listener -> threads.start(listener.thread()));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Stops every listener, and drops pending notifications. Does not wait. */
    public void stop() {
        lock.lock();
        try {
            stopped = true;
        } finally {
            lock.unlock();
        }
        backlogs.close();
        listeners.forEach(ProcessorListener::stop);
    }

    @Override
    public void distribute(Batch<T> changes) {
        List<ProcessorListener<T>> informed = listeners;
        for (ProcessorListener<T> listener : informed) {
            listener.add(changes);
        }
        // Last: the scheduler, which a report may call, is user code and may throw.
        informed.forEach(ProcessorListener::observeBacklog);
    }

    @Override
    public void resync() {
        List<T> objects = store.list();
        listeners.forEach(listener -> listener.resync(objects));
    }

    @Override
    public void synced() {
        List<ProcessorListener<T>> all;
        lock.lock();
        try {
            synced = true;
            all = listeners;
        } finally {
            lock.unlock();
        }
        all.forEach(listener -> listener.add(Batch.initialListEnd()));
    }

    /** Returns how often to call {@link #decideResync}; zero for never. */
    public Duration checkPeriod() {
        lock.lock();
        try {
            return checkPeriod;
        } finally {
            lock.unlock();
        }
    }

    /** Decides which handlers take part in the current resync. Returns whether any handler does. */
    public boolean decideResync() {
        long now = scheduler.nanoTime();
        boolean any = false;
        for (ProcessorListener<T> listener : listeners) {
            any |= listener.decideResync(now);
        }
        return any;
    }

    public List<HandlerHealth> health() {
        return listeners.stream().map(ProcessorListener::health).toList();
    }
}
