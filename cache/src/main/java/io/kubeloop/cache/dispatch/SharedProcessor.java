package io.kubeloop.cache.dispatch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.InformerHealth.HandlerHealth;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.runtime.InformerMeter;
import io.kubeloop.cache.store.StoreTransaction;
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
public final class SharedProcessor<T extends KubeObject> {

    /*
     * Invariants:
     *   P1  A change becomes visible in the store and enters the backlogs in one step under the lock. So a listener
     *       that is registered under the lock receives the store as it is, and then exactly the later changes.
     *   P2  A listener receives InitialListEnd: with its replay if the first list is complete, otherwise when it is.
     *   P3  Memory is reserved before a commit. So no commit is visible in the store and missing in a backlog.
     *
     * lock guards the fields below it, and the resync fields of each listener. The list of listeners is immutable and
     * replaced under the lock. No user code runs under the lock: transactions were built before, and handlers run later
     * on their own threads. The listeners' locks are taken under it; publish() holds all of them at once, in the order
     * of registration.
     * The processing thread calls publish(), resync() and synced(). The timer thread calls decideResync(). Any thread
     * calls the rest.
     */

    private final String informer;
    private final Scheduler scheduler;
    private final OwnedThreads threads;
    private final ThreadSafeStore<ObjectName, T> store;
    private final InformerMeter meter;

    private final AtomicInteger named = new AtomicInteger();

    private final ReentrantLock lock = new ReentrantLock();
    private List<ProcessorListener<T>> listeners = List.of();
    private Duration checkPeriod;
    private boolean started;
    private boolean synced;

    public SharedProcessor(
            String informer,
            Scheduler scheduler,
            OwnedThreads threads,
            ThreadSafeStore<ObjectName, T> store,
            InformerMeter meter,
            Duration checkPeriod) {
        this.informer = informer;
        this.scheduler = scheduler;
        this.threads = threads;
        this.store = store;
        this.meter = meter;
        this.checkPeriod = checkPeriod;
    }

    /** Returns the receiver of measurements. */
    InformerMeter meter() {
        return meter;
    }

    /** Makes a listener for {@link #register}. */
    public ProcessorListener<T> listener(ResourceEventHandler<? super T> handler) {
        return new ProcessorListener<>(informer, named.incrementAndGet(), handler, scheduler, threads, this);
    }

    /** Registers a listener. It receives the cached objects, then each later change. */
    public void register(ProcessorListener<T> listener, Duration resyncPeriod) {
        lock.lock();
        try {
            listener.resyncEvery(effectivePeriod(resyncPeriod));
            listener.add(new Notification.Replay<>(store.list()));
            if (synced) {
                listener.add(new Notification.InitialListEnd<>());
            }
            List<ProcessorListener<T>> more = new ArrayList<>(listeners);
            more.add(listener);
            more = List.copyOf(more);
            if (started) {
                listener.start();
            }
            listeners =
                    more; // last, and without an allocation: a listener is registered if and only if its thread runs
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the period to use. Before the start, the shortest period decides how often resyncs are checked;
     * afterwards that is fixed.
     */
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

    void remove(ProcessorListener<T> listener) {
        lock.lock();
        try {
            listeners = listeners.stream().filter(other -> other != listener).toList();
        } finally {
            lock.unlock();
        }
        listener.stop();
    }

    /** Starts a thread for each handler, now and for later handlers. */
    public void start() {
        lock.lock();
        try {
            started = true;
            listeners.forEach(ProcessorListener::start);
        } finally {
            lock.unlock();
        }
    }

    /** Stops every listener, and drops pending notifications. Does not wait. */
    public void stop() {
        List<ProcessorListener<T>> all;
        lock.lock();
        try {
            all = listeners;
        } finally {
            lock.unlock();
        }
        all.forEach(ProcessorListener::stop);
    }

    /**
     * Commits the transaction and adds the notifications to every backlog, in one step.
     *
     * <p>All memory is reserved before the commit. If memory is short, this throws and changes nothing: the caller requests a
     * list, which brings the changes again. After the commit nothing is allocated, so no handler misses a committed change.
     *
     * @return false, without any effect, if another thread has written to the store since the transaction began
     */
    public boolean publish(StoreTransaction<ObjectName, T> transaction, List<Notification<T>> notifications) {
        List<ProcessorListener<T>> informed;
        boolean anyBehind = false;
        lock.lock();
        try {
            informed = listeners;
            int reserved = 0;
            try {
                for (; reserved < informed.size(); reserved++) {
                    informed.get(reserved).reserve(notifications.size());
                }
                if (!transaction.tryCommit()) {
                    return false;
                }
                for (int i = 0; i < reserved; i++) {
                    anyBehind |= informed.get(i).append(notifications);
                }
            } finally {
                while (reserved > 0) {
                    informed.get(--reserved).release();
                }
            }
        } finally {
            lock.unlock();
        }
        if (anyBehind) {
            informed.forEach(ProcessorListener::checkBacklog);
        }
        return true;
    }

    /** Passes the cached objects on again to the handlers that are due. */
    void resync() {
        lock.lock();
        try {
            List<T> objects = store.list();
            for (ProcessorListener<T> listener : listeners) {
                if (listener.isResyncOwed()) {
                    listener.add(new Notification.Resync<>(objects));
                    listener.resyncDelivered(); // after the addition, which may fail for lack of memory
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Notifies every listener that the first list is complete. */
    public void synced() {
        lock.lock();
        try {
            synced = true;
            for (ProcessorListener<T> listener : listeners) {
                listener.add(new Notification.InitialListEnd<>());
            }
        } finally {
            lock.unlock();
        }
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
        lock.lock();
        try {
            boolean any = false;
            for (ProcessorListener<T> listener : listeners) {
                any |= listener.decideResync(now);
            }
            return any;
        } finally {
            lock.unlock();
        }
    }

    public List<HandlerHealth> health() {
        lock.lock();
        try {
            return listeners.stream().map(ProcessorListener::health).toList();
        } finally {
            lock.unlock();
        }
    }
}
