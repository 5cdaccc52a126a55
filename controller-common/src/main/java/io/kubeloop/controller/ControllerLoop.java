/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.CacheSyncTimeoutException;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.workqueue.RateLimitingQueue;
import io.kubeloop.workqueue.SyncHandler;
import io.kubeloop.workqueue.WorkQueues;
import io.kubeloop.workqueue.Worker;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a controller's queue: waits until the caches are filled, starts the workers, and stops gracefully (upstream: the
 * body of every controller's {@code Run}).
 *
 * <p>Workers start only after each handler has received the whole initial list. Waiting for the caches is not enough:
 * a handler that still receives old pods would count them as newly created, and lower expectations by mistake. A cache
 * that the controller only reads needs no handler: the loop waits for its informer.
 *
 * <p>A controller owns one loop and delegates the methods of {@link Controller} to it. Thread-safe. {@link
 * #awaitTermination} and {@link #close} block, as {@link Controller} describes.
 *
 * @param <T> the type of the queue's items
 */
public final class ControllerLoop<T> implements Controller {

    /*
     * States: NEW -> STARTING -> RUNNING -> STOPPING, and from each of them to STOPPING.
     * Invariants:
     *   C1  The starter makes the worker, at most once, and not after shutDown. A worker that is made while shutDown
     *       runs finds its queue shut down and ends by itself.
     *   C2  shutDown interrupts the starter only while it is STARTING, which is while it waits for the caches.
     *   C3  After awaitTermination has returned true, neither the starter nor a worker thread is alive. It waits for
     *       the starter first, so it finds the worker.
     *
     * No user code, I/O or logging runs under the lock: threads are made, and registrations and queue closed, outside
     * it. The manager calls start, shutDown and awaitTermination; the starter thread calls awaitSync.
     */

    private static final Logger LOG = LoggerFactory.getLogger(ControllerLoop.class);

    /** An initial list may take any time. The wait ends early with shutDown, or when a handler is removed. */
    private static final Duration UNLIMITED = ChronoUnit.FOREVER.getDuration();

    private enum State {
        NEW,
        STARTING,
        RUNNING,
        STOPPING
    }

    private final String name;
    private final RateLimitingQueue<T> queue;
    private final SyncHandler<T> handler;
    private final List<Registration> registrations;
    private final List<SharedInformer<?>> read;
    private final OwnedThreads threads;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private State state = State.NEW;

    @GuardedBy("lock")
    private @Nullable Thread starter;

    /** Written by the starter thread. */
    private volatile @Nullable Worker<T> worker;

    /**
     * Creates a loop that is not started.
     *
     * @param name the controller's name
     * @param queue the items to process; this loop shuts it down
     * @param handler processes one item; an exception brings the item back later
     * @param registrations the controller's handlers; this loop closes them
     * @param threads makes the threads
     */
    public ControllerLoop(
            String name,
            RateLimitingQueue<T> queue,
            SyncHandler<T> handler,
            List<Registration> registrations,
            ThreadFactory threads) {
        this(name, queue, handler, registrations, List.of(), threads);
    }

    /**
     * Creates a loop that is not started.
     *
     * @param name the controller's name
     * @param queue the items to process; this loop shuts it down
     * @param handler processes one item; an exception brings the item back later
     * @param registrations the controller's handlers; this loop closes them
     * @param read the informers without a handler whose caches the controller reads; the loop waits until they are
     *     filled
     * @param threads makes the threads
     */
    public ControllerLoop(
            String name,
            RateLimitingQueue<T> queue,
            SyncHandler<T> handler,
            List<Registration> registrations,
            List<SharedInformer<?>> read,
            ThreadFactory threads) {
        this.name = name;
        this.queue = queue;
        this.handler = handler;
        this.registrations = List.copyOf(registrations);
        this.read = List.copyOf(read);
        this.threads = new OwnedThreads(threads);
    }

    /**
     * Returns a loop whose queue receives the key of every object that one of the informers adds, updates or deletes.
     * For a controller whose objects have the names of the objects it watches; others register handlers of their own.
     *
     * @param name the name of the controller and of its queue
     * @param sync processes one key; an exception brings the key back later
     * @param informers registered with at once; the caller starts them
     */
    @SafeVarargs
    public static ControllerLoop<ObjectName> forKeys(
            String name,
            ControllerContext context,
            SyncHandler<ObjectName> sync,
            SharedInformer<? extends KubeObject>... informers) {
        return forQueue(name, context, queue -> sync, informers);
    }

    /**
     * Returns a loop as {@link #forKeys} does, for a controller that queues keys itself, such as the present key after
     * a delay: {@code queue.addAfter(key, Duration.ofMinutes(5))} (controller-runtime: {@code RequeueAfter}).
     *
     * @param name the name of the controller and of its queue
     * @param sync makes the function that processes one key; called once, with the loop's queue
     * @param informers registered with at once; the caller starts them
     */
    @SafeVarargs
    public static ControllerLoop<ObjectName> forQueue(
            String name,
            ControllerContext context,
            Function<RateLimitingQueue<ObjectName>, SyncHandler<ObjectName>> sync,
            SharedInformer<? extends KubeObject>... informers) {
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply(name));
        List<Registration> registrations = new ArrayList<>();
        for (SharedInformer<? extends KubeObject> informer : informers) {
            registrations.add(informer.addHandler(ResourceEventHandler.forKeys(name, queue::add)));
        }
        return new ControllerLoop<>(name, queue, sync.apply(queue), registrations, context.threads());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void start(int workers) {
        if (workers < 1) {
            throw new IllegalArgumentException("controller " + name + " needs at least 1 worker, got " + workers);
        }
        Thread thread = threads.newThread(() -> runWhenSynced(workers));
        thread.setName("kubeloop-starter-" + name);
        lock.lock();
        try {
            if (state != State.NEW) {
                throw new IllegalStateException("controller " + name + " cannot start: it is " + state);
            }
            state = State.STARTING;
            starter = thread;
        } finally {
            lock.unlock();
        }
        thread.start(); // a factory's class of threads may run user code here
    }

    private void runWhenSynced(int workers) {
        try {
            if (awaitSync() && beginRunning()) {
                startWorker(workers);
                LOG.info("Controller {} runs with {} workers", name, workers);
            }
        } catch (InterruptedException e) {
            // The loop was shut down, or the owner of the thread factory ends the process.
            LOG.debug("Controller {} was stopped before its caches were filled", name);
            shutDown();
        }
    }

    /** Waits until every cache is filled and every handler has its initial list; returns false if one was closed. */
    private boolean awaitSync() throws InterruptedException {
        try {
            for (SharedInformer<?> informer : read) {
                informer.awaitSync(UNLIMITED);
            }
            for (Registration registration : registrations) {
                registration.awaitSync(UNLIMITED);
            }
            return true;
        } catch (CacheSyncTimeoutException e) {
            if (isStopping()) {
                LOG.debug("Controller {} was stopped before its caches were filled", name);
            } else {
                LOG.warn("Controller {} does not start, its caches are not filled: {}", name, e.getMessage());
            }
            return false;
        }
    }

    private boolean isStopping() {
        lock.lock();
        try {
            return state == State.STOPPING;
        } finally {
            lock.unlock();
        }
    }

    private boolean beginRunning() {
        lock.lock();
        try {
            if (state == State.STARTING) {
                state = State.RUNNING;
            }
            return state == State.RUNNING;
        } finally {
            lock.unlock();
        }
    }

    private void startWorker(int workers) {
        worker = Worker.<T>builder(queue, handler)
                .threads(workers)
                .threadFactory(threads)
                .onFailure(this::failed)
                .start();
    }

    private void failed(T item, Throwable error, int retries, boolean willRetry) {
        if (error instanceof Error) {
            LOG.error("Controller {} failed to sync {}", name, item, error);
        } else if (error instanceof IncompleteSyncException) {
            LOG.debug("Controller {} syncs {} again later: {}", name, item, error.getMessage());
        } else if (willRetry) {
            LOG.warn(
                    "Controller {} failed to sync {} and retries (failure {}): {}",
                    name,
                    item,
                    retries + 1,
                    error.toString());
            LOG.debug("Stack trace of the failure at {}", item, error);
        } else {
            LOG.info("Controller {} failed to sync {} and does not retry: {}", name, item, error.toString());
        }
    }

    @Override
    public void shutDown() {
        lock.lock();
        try {
            if (state == State.STARTING && starter != null) {
                starter.interrupt();
            }
            state = State.STOPPING;
        } finally {
            lock.unlock();
        }
        registrations.forEach(Registration::close);
        queue.shutDown();
    }

    @Override
    public boolean awaitTermination(Duration timeout) {
        long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(timeout);
        try {
            awaitStarter(deadline);
            Worker<T> working = worker;
            boolean processed = working == null || working.stop(left(deadline));
            boolean ended = threads.await(left(deadline)) && processed;
            if (isStopping()) {
                discardItems();
            }
            return ended;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Takes the items that no worker took, because the loop was stopped before its workers started, or because they did
     * not end in time. A clock that counts queued items would otherwise wait for these items. The queue is shut down,
     * so get does not block.
     */
    private void discardItems() throws InterruptedException {
        int discarded = 0;
        for (T item = queue.get(); item != null; item = queue.get()) {
            queue.done(item);
            discarded++;
        }
        if (discarded > 0) {
            LOG.debug("Controller {} ended with {} unprocessed items", name, discarded);
        }
    }

    private void awaitStarter(long deadline) throws InterruptedException {
        Thread starting;
        lock.lock();
        try {
            starting = starter;
        } finally {
            lock.unlock();
        }
        if (starting != null && starting != Thread.currentThread()) {
            TimeUnit.NANOSECONDS.timedJoin(starting, deadline - System.nanoTime());
        }
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(deadline - System.nanoTime());
    }
}
