package io.kubeloop.controller;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.CacheSyncTimeoutException;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.controller.threads.TrackedThreads;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a controller around its queue: wait until the caches are filled, work, stop in order (upstream: the body of
 * every controller's {@code Run}).
 *
 * <p>Workers begin only when each handler has been told of everything in the first list. Waiting for the caches alone would
 * not do: a handler that still hears of old pods would take them for pods just created, and lower what is expected.
 *
 * <p>A controller has one and hands its {@link Controller} methods to it. Thread-safe.
 *
 * @param <T> the type of the queue's items
 */
public final class ControllerLoop<T> implements Controller {

    // States: NEW -> STARTING -> RUNNING -> STOPPING, and from each of them to STOPPING.
    // Invariants
    //   C1  The worker is made at most once, by the starter, and not if shutDown came before. One that is made while
    //       shutDown runs finds a queue that is shut down, and ends by itself.
    //   C2  After awaitTermination has returned true, neither the starter nor a worker thread is alive (I12): it
    //       waits for the starter first, so that it sees the worker.
    // Lock: `lock` guards state and starter. No user code, no I/O and no logging under it: threads are made,
    // registrations and queue closed outside. start, shutDown and awaitTermination are called by the manager, awaitSync
    // by the starter thread.

    private static final Logger LOG = LoggerFactory.getLogger(ControllerLoop.class);

    /** A handler's first list may take any time; who waits is let go when the handler is removed. */
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
    private final TrackedThreads threads;

    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.NEW;
    private @Nullable Thread starter;

    /** Written by the starter. */
    private volatile @Nullable Worker<T> worker;

    /**
     * Makes a loop.
     *
     * @param name the controller's name
     * @param queue what is to be processed; shut down by this loop
     * @param handler processes one item
     * @param registrations the controller's handlers; closed by this loop
     * @param threads makes the threads
     */
    public ControllerLoop(
            String name,
            RateLimitingQueue<T> queue,
            SyncHandler<T> handler,
            List<Registration> registrations,
            ThreadFactory threads) {
        this.name = name;
        this.queue = queue;
        this.handler = handler;
        this.registrations = List.copyOf(registrations);
        this.threads = new TrackedThreads(threads);
    }

    /**
     * Returns a loop whose queue receives the key of every object that one of the informers adds, updates or deletes. For a
     * controller whose objects have the names of the objects it watches; others register handlers of their own.
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
        RateLimitingQueue<ObjectName> queue =
                WorkQueues.rateLimiting(context.queues().apply(name));
        List<Registration> registrations = new ArrayList<>();
        for (SharedInformer<? extends KubeObject> informer : informers) {
            registrations.add(informer.addHandler(ResourceEventHandler.forKeys(queue::add)));
        }
        return new ControllerLoop<>(name, queue, sync, registrations, context.threads());
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
            thread.start();
            starter = thread;
        } finally {
            lock.unlock();
        }
    }

    private void runWhenSynced(int workers) {
        try {
            if (awaitSync() && startWorker(workers)) {
                LOG.info("Controller {} runs with {} workers", name, workers);
            }
        } catch (InterruptedException e) {
            // Nobody but the thread factory's owner interrupts the starter: the process is going down.
            Thread.currentThread().interrupt();
            shutDown();
        }
    }

    /** Waits until every handler has heard of everything; returns false if one was removed before. */
    private boolean awaitSync() throws InterruptedException {
        try {
            for (Registration registration : registrations) {
                registration.awaitSync(UNLIMITED);
            }
            return true;
        } catch (CacheSyncTimeoutException e) {
            if (isStopping()) {
                LOG.debug("Controller {} was stopped before its caches were complete", name);
            } else {
                LOG.warn("Controller {} does not run: {}", name, e.getMessage());
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

    private boolean startWorker(int workers) {
        if (isStopping()) {
            return false;
        }
        worker = Worker.<T>builder(queue, handler)
                .threads(workers)
                .threadFactory(threads)
                .onFailure(this::failed)
                .start();
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

    private void failed(T item, Throwable error, int retries, boolean willRetry) {
        if (error instanceof Error) {
            LOG.error("Controller {} failed at {}", name, item, error);
        } else if (willRetry) {
            LOG.warn("Controller {} will try {} again (failure {}): {}", name, item, retries + 1, error.toString());
            LOG.debug("The failure at {} in full", item, error);
        } else {
            LOG.info("Controller {} leaves {} undone: {}", name, item, error.toString());
        }
    }

    @Override
    public void shutDown() {
        lock.lock();
        try {
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
            return threads.join(left(deadline)) && processed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
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
