/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.informer;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.cache.CacheSyncTimeoutException;
import io.kubeloop.cache.Indexer;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.WatchErrorHandler;
import io.kubeloop.cache.store.StoreLister;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An informer: connects reflector, delta queue, store and handlers (upstream: {@code cache.sharedIndexInformer}).
 *
 * <pre>
 *   server ─► Reflector ─► DeltaQueue ─► DeltaProcessor ─► ThreadSafeStore
 *             reflector                  processing  └───► SharedProcessor ─► ProcessorListener ─► handler
 *             thread                     thread                               a thread each
 * </pre>
 */
public final class SharedIndexInformer<T extends KubeObject> implements SharedInformer<T> {

    /*
     * An informer is new, then started, then closed, and never goes back. A start that fails halfway closes it, and so
     * does anything that one of its threads throws: a cache that no thread updates must not look alive.
     *
     * The lock is held for moments, together with no other lock. No user code runs under it, and no thread is awaited
     * under it.
     */

    private static final Logger LOG = LoggerFactory.getLogger(SharedIndexInformer.class);

    /** The longest wait of close(). A handler that has not returned by then is left behind. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final ResourceType<T> type;
    private final String name;
    private final InformerConfig config;
    private final Scheduler scheduler;
    private final @Nullable Scheduler ownScheduler;
    private final FailFast failFast = new FailFast();
    private final OwnedThreads threads;
    private final Pipeline<T> pipeline;
    private final StoreLister<T> lister;

    /** Held for the step from new to started, and to closed. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Null until the start. Volatile, so it can be read without the lock. */
    private volatile @Nullable Thread reflectorThread;

    private volatile boolean closed;

    /**
     * Makes an informer that is not started.
     *
     * @param scheduler that of the factory; null for one of its own, which it closes
     * @param family the threads of the informers of one factory
     */
    public SharedIndexInformer(
            ResourceType<T> type,
            ListerWatcher<T> source,
            InformerConfig config,
            @Nullable Scheduler scheduler,
            Set<Thread> family) {
        this.type = type;
        this.name = InformerReport.nameOf(type, config.scope());
        this.config = config;
        this.ownScheduler = scheduler == null ? Scheduler.system(config.threads()) : null;
        this.scheduler = ownScheduler == null ? Objects.requireNonNull(scheduler) : ownScheduler;
        this.threads = this.scheduler.newThreads(failFast.guarding(config.threads()), family);
        this.pipeline = Pipeline.of(type, name, source, config, this.scheduler, threads);
        this.lister = new StoreLister<>(pipeline.store());
    }

    @Override
    public Registration addHandler(ResourceEventHandler<? super T> handler) {
        return addHandler(handler, config.resyncPeriod());
    }

    @Override
    public Registration addHandler(ResourceEventHandler<? super T> handler, Duration resyncPeriod) {
        Duration period = config.withResyncPeriod(resyncPeriod).resyncPeriod();
        if (!period.isZero() && config.resyncPeriod().isZero()) {
            LOG.warn("{}: handler requested a resync every {}, but this informer has resync disabled", name, period);
        }
        return pipeline.processor().register(pipeline.tracer().traced(handler), period);
    }

    @Override
    public void addIndexers(Map<String, Function<T, List<String>>> indexers) {
        if (closed) {
            throw new IllegalStateException("cannot add indices: the informer of " + name + " is closed");
        }
        pipeline.store().addIndexers(indexers);
    }

    @Override
    public List<T> byIndex(String indexName, String value) {
        return pipeline.store().byIndex(indexName, value);
    }

    @Override
    public Set<String> indexNames() {
        return pipeline.store().indexNames();
    }

    @Override
    public List<String> indexValues(String indexName) {
        return pipeline.store().indexValues(indexName);
    }

    @Override
    public Lister<T> lister() {
        return lister;
    }

    /** Returns the store, for classes of this module that read from it. */
    public Indexer<ObjectName, T> store() {
        return pipeline.store();
    }

    @Override
    public void setTransform(UnaryOperator<T> transform) {
        beforeStart("set a transform", () -> pipeline.transform().replace(transform));
    }

    @Override
    public void setWatchErrorHandler(WatchErrorHandler handler) {
        beforeStart("set a watch error handler", () -> pipeline.watchErrors().handleWith(handler));
    }

    private void beforeStart(String what, Runnable change) {
        lock.lock();
        try {
            if (!isNew()) {
                throw new IllegalStateException("cannot " + what + ": the informer of " + name + " was started");
            }
            change.run();
        } finally {
            lock.unlock();
        }
    }

    private boolean isNew() {
        return reflectorThread == null && !closed;
    }

    @Override
    public void start() {
        if (!isNew()) {
            return;
        }
        pipeline.meter().register(() -> config.metrics().register(type, name, this::health));
        failFast.whenFailed(this::fail);
        Thread processing = threads.prepare("kubeloop-informer-" + name, this::processLoop);
        Thread reflecting = threads.prepare("kubeloop-reflector-" + name, pipeline.reflector()::run);
        try {
            start(processing, reflecting);
        } catch (Throwable e) {
            stop(); // a thread could not be made, and half an informer could not be started again
            throw e;
        }
    }

    private void start(Thread processing, Thread reflecting) {
        lock.lock();
        try {
            if (!isNew()) {
                return;
            }
            reflectorThread = reflecting;
            threads.start(processing);
            threads.start(reflecting);
        } finally {
            lock.unlock();
        }
        pipeline.processor().start();
    }

    /** Ends the informer because one of its threads has failed. */
    private void fail(Throwable failure) {
        pipeline.reflector().progress().fail(failure);
        stop();
        UserCallbacks.run(() -> LOG.error(
                "{}: the thread {} failed. The informer ends, and its cache is not updated any more",
                name,
                Thread.currentThread().getName(),
                failure));
    }

    /**
     * Moves changes from the queue to store and handlers until the informer is closed. Entries that are queued then are
     * dropped.
     */
    private void processLoop() {
        boolean more = true;
        while (more && !closed) {
            try {
                more = pipeline.queue().pop(pipeline.consumer());
                pipeline.versionWaiters().changed();
            } catch (Exception e) { // including checked exceptions that other JVM languages do not declare
                // The changes that were being processed are lost. Upstream would wait for the next list.
                pipeline.reflector().listAgain(e);
                UserCallbacks.run(() -> LOG.error("{}: cannot process changes; listing again", name, e));
            }
        }
    }

    @Override
    public boolean hasSynced() {
        return pipeline.queue().hasSynced();
    }

    /** Waits until the informer is synced or closed, or the time has passed. Returns whether it is synced. */
    boolean trySync(Duration atMost) throws InterruptedException {
        pipeline.settled().await(scheduler, atMost);
        return hasSynced();
    }

    @Override
    public void awaitSync(Duration timeout) throws InterruptedException {
        if (!trySync(timeout)) {
            throw new CacheSyncTimeoutException("cache not filled within " + timeout + ": " + whyNotSynced());
        }
    }

    @Override
    public void awaitObserved(ObjectName key, String resourceVersion, Duration timeout) throws InterruptedException {
        pipeline.versionWaiters().await(key, resourceVersion, timeout);
    }

    @Override
    public boolean hasObserved(String resourceVersion) {
        return pipeline.versionWaiters().hasObserved(resourceVersion);
    }

    @Override
    public void whenObserved(String resourceVersion, Runnable action) {
        pipeline.versionWaiters().whenObserved(resourceVersion, action);
    }

    /** Returns whether the informer was started, even if it is closed now. */
    boolean wasStarted() {
        return reflectorThread != null;
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns whether the informer is closed and all its threads have ended. */
    boolean hasEnded() {
        return isClosed() && threads.haveEnded();
    }

    @Override
    public String lastSyncResourceVersion() {
        return pipeline.reflector().progress().lastSyncResourceVersion();
    }

    @Override
    public InformerHealth health() {
        return pipeline.report().health();
    }

    /** Returns one line that states why the cache is not filled, and what may be missing. */
    String whyNotSynced() {
        return pipeline.report().whyNotSynced(isClosed());
    }

    @Override
    public void close() {
        stop();
        threads.await(
                CLOSE_TIMEOUT,
                thread -> LOG.warn("{} has not ended within {}; it is left behind", thread.getName(), CLOSE_TIMEOUT));
        if (ownScheduler != null) {
            ownScheduler.close();
        }
    }

    /** Requests the end of all threads. Does not wait. */
    void stop() {
        Thread reading;
        lock.lock();
        try {
            closed = true;
            reading = reflectorThread;
        } finally {
            lock.unlock();
        }
        pipeline.reflector().close();
        pipeline.queue().close();
        pipeline.processor().stop();
        pipeline.settled().release();
        pipeline.versionWaiters().close();
        if (reading != null && reading != Thread.currentThread()) {
            reading.interrupt();
        }
        pipeline.meter().close();
    }
}
