/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.informer;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.cache.CacheSyncTimeoutException;
import io.kubeloop.cache.Indexer;
import io.kubeloop.cache.Indexers;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.InformerMetricsProvider;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.WatchErrorHandler;
import io.kubeloop.cache.dispatch.DeltaProcessor;
import io.kubeloop.cache.dispatch.InformerTracer;
import io.kubeloop.cache.dispatch.MeteredConsumer;
import io.kubeloop.cache.dispatch.SharedProcessor;
import io.kubeloop.cache.queue.DeltaConsumer;
import io.kubeloop.cache.queue.DeltaFifo;
import io.kubeloop.cache.queue.DeltaQueue;
import io.kubeloop.cache.queue.KnownObjects;
import io.kubeloop.cache.queue.RealFifo;
import io.kubeloop.cache.reflector.ErrorHint;
import io.kubeloop.cache.reflector.Progress;
import io.kubeloop.cache.reflector.Reflector;
import io.kubeloop.cache.reflector.ResyncTimer;
import io.kubeloop.cache.reflector.WatchErrors;
import io.kubeloop.cache.runtime.InformerMeter;
import io.kubeloop.cache.store.StoreLister;
import io.kubeloop.cache.store.ThreadSafeStore;
import io.kubeloop.runtime.OneShotLatch;
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
    private final OwnedThreads threads;
    private final ThreadSafeStore<ObjectName, T> store;
    private final StoreLister<T> lister;
    private final DeltaQueue<ObjectName, T> queue;
    private final SharedProcessor<T> processor;
    private final DeltaConsumer<ObjectName, T> consumer;
    private final @Nullable InformerTracer<T> tracer;
    private final Transform<T> transform;
    private final FailFast failFast;
    private final VersionWaiters<T> versionWaiters;
    private final InformerMeter meter;
    private final WatchErrors watchErrors;
    private final Reflector<T> reflector;
    private final InformerReport<T> report;

    /** Fired when the informer is synced or closed, whichever comes first. */
    private final OneShotLatch settled = new OneShotLatch();

    /** Held for the step from new to started, and to closed. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Null until the start. Volatile, so that it can be read without the lock. */
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
        this.transform = new Transform<>(config.transform()::apply);
        this.ownScheduler = scheduler == null ? Scheduler.system(config.threads()) : null;
        this.scheduler = ownScheduler == null ? Objects.requireNonNull(scheduler) : ownScheduler;
        this.failFast = new FailFast();
        this.threads = this.scheduler.newThreads(failFast.guarding(config.threads()), family);
        this.store = new ThreadSafeStore<>(
                KubeObject::objectName, object -> object.metadata().resourceVersion());
        this.store.addIndexers(Map.of(Indexers.NAMESPACE, Indexers::byNamespace));
        this.lister = new StoreLister<>(store);
        this.meter = new InformerMeter(name, this.scheduler);
        this.tracer = config.metrics().traces() ? new InformerTracer<>(meter) : null;
        this.processor = new SharedProcessor<>(name, this.scheduler, threads, store, config.resyncPeriod());
        DeltaProcessor<T> deltaProcessor = new DeltaProcessor<>(
                name,
                store,
                tracer == null ? processor : tracer.traced(processor),
                this.scheduler,
                config.announceUnchanged(),
                settled::release);
        this.consumer = config.metrics() == InformerMetricsProvider.NONE
                ? deltaProcessor
                : new MeteredConsumer<>(deltaProcessor, this.scheduler, meter);
        boolean inOrder = config.queue() == InformerConfig.QueueKind.REAL_FIFO;
        DeltaQueue<ObjectName, T> plain = inOrder
                ? new RealFifo<>(KubeObject::objectName, this.scheduler)
                : new DeltaFifo<>(KubeObject::objectName, KnownObjects.of(store), this.scheduler);
        this.queue = tracer == null ? plain : tracer.traced(plain);
        ErrorHint errorHint = new ErrorHint(type, config.namespace());
        this.watchErrors = new WatchErrors(name, this.scheduler, errorHint);
        this.reflector = new Reflector<>(
                name,
                source,
                queue,
                transform,
                new Reflector.Observers(watchErrors, meter),
                new ResyncTimer(this.scheduler, new ResyncTarget<>(processor, queue)),
                config.withScheduler(this.scheduler));
        Progress progress = reflector.progress();
        this.versionWaiters = new VersionWaiters<>(
                name,
                store,
                inOrder
                        ? deltaProcessor::processedUpTo
                        // read before the size of the queue: what was received later is not processed
                        : () -> processedUpTo(progress.lastSyncResourceVersion(), plain),
                this.scheduler);
        if (!inOrder) {
            progress.whenReached(versionWaiters::changed);
        }
        this.report = new InformerReport<>(name, progress, store, queue, processor, errorHint);
    }

    /**
     * Returns the version up to which everything was processed; empty if it is not known. A change that was lost, by an
     * error or a transform that threw, counts as processed before a list brings it again.
     */
    private static String processedUpTo(String received, DeltaQueue<?, ?> queue) {
        return queue.size() == 0 ? received : "";
    }

    /** Starts a resync for the handlers that are due. */
    private record ResyncTarget<T extends KubeObject>(SharedProcessor<T> processor, DeltaQueue<ObjectName, T> queue)
            implements ResyncTimer.Target {
        @Override
        public Duration period() {
            return processor.checkPeriod();
        }

        @Override
        public void resyncIfDue() {
            if (processor.decideResync()) {
                queue.resync();
            }
        }
    }

    /** The transform of the user, which can be replaced before the start. */
    private static final class Transform<T> implements UnaryOperator<T> {

        private volatile UnaryOperator<T> user;

        Transform(UnaryOperator<T> user) {
            this.user = user;
        }

        @Override
        public T apply(T object) {
            try {
                return Objects.requireNonNull(user.apply(object), "a transform returned null");
            } finally {
                UserCallbacks.clearInterrupt();
            }
        }
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
        return processor.register(tracer == null ? handler : tracer.traced(handler), period);
    }

    @Override
    public void addIndexers(Map<String, Function<T, List<String>>> indexers) {
        if (closed) {
            throw new IllegalStateException("cannot add indices: the informer of " + name + " is closed");
        }
        store.addIndexers(indexers);
    }

    @Override
    public List<T> byIndex(String indexName, String value) {
        return store.byIndex(indexName, value);
    }

    @Override
    public Set<String> indexNames() {
        return store.indexNames();
    }

    @Override
    public List<String> indexValues(String indexName) {
        return store.indexValues(indexName);
    }

    @Override
    public Lister<T> lister() {
        return lister;
    }

    /** Returns the store, for classes of this module that read from it. */
    public Indexer<ObjectName, T> store() {
        return store;
    }

    @Override
    public void setTransform(UnaryOperator<T> transform) {
        beforeStart("set a transform", () -> this.transform.user = transform);
    }

    @Override
    public void setWatchErrorHandler(WatchErrorHandler handler) {
        beforeStart("set a watch error handler", () -> watchErrors.handleWith(handler));
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
        meter.register(() -> config.metrics().register(type, name, this::health));
        failFast.whenFailed(this::fail);
        Thread processing = threads.prepare("kubeloop-informer-" + name, this::processLoop);
        Thread reflecting = threads.prepare("kubeloop-reflector-" + name, reflector::run);
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
        processor.start();
    }

    /** Ends the informer because one of its threads has failed. */
    private void fail(Throwable failure) {
        reflector.progress().fail(failure);
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
                more = queue.pop(consumer);
                versionWaiters.changed();
            } catch (Exception e) { // including checked exceptions that other JVM languages do not declare
                // The changes that were being processed are lost. Upstream would wait for the next list.
                reflector.listAgain(e);
                UserCallbacks.run(() -> LOG.error("{}: cannot process changes; listing again", name, e));
            }
        }
    }

    @Override
    public boolean hasSynced() {
        return queue.hasSynced();
    }

    /** Waits until the informer is synced or closed, or the time has passed. Returns whether it is synced. */
    boolean trySync(Duration atMost) throws InterruptedException {
        settled.await(scheduler, atMost);
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
        versionWaiters.await(key, resourceVersion, timeout);
    }

    @Override
    public boolean hasObserved(String resourceVersion) {
        return versionWaiters.hasObserved(resourceVersion);
    }

    @Override
    public void whenObserved(String resourceVersion, Runnable action) {
        versionWaiters.whenObserved(resourceVersion, action);
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
        return reflector.progress().lastSyncResourceVersion();
    }

    @Override
    public InformerHealth health() {
        return report.health();
    }

    /** Returns one line that states why the cache is not filled, and what may be missing. */
    String whyNotSynced() {
        return report.whyNotSynced(isClosed());
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
        reflector.close();
        queue.close();
        processor.stop();
        settled.release();
        versionWaiters.close();
        if (reading != null && reading != Thread.currentThread()) {
            reading.interrupt();
        }
        meter.close();
    }
}
