/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.informer;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.cache.Indexers;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.dispatch.DeltaProcessor;
import io.kubeloop.cache.dispatch.InformerTracer;
import io.kubeloop.cache.dispatch.MeteredConsumer;
import io.kubeloop.cache.dispatch.SharedProcessor;
import io.kubeloop.cache.metrics.InformerMetricsProvider;
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
import io.kubeloop.cache.store.ThreadSafeStore;
import io.kubeloop.runtime.OneShotLatch;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.UserCallbacks;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The parts of one informer, in the order in which an event passes through them. Each part documents its threads.
 *
 * @param settled fired when the informer is synced or closed, whichever comes first
 */
record Pipeline<T extends KubeObject>(
        OneShotLatch settled,
        InformerMeter meter,
        InformerTracer<T> tracer,
        WatchErrors watchErrors,
        Transform<T> transform,
        Reflector<T> reflector,
        DeltaQueue<ObjectName, T> queue,
        DeltaConsumer<ObjectName, T> consumer,
        ThreadSafeStore<ObjectName, T> store,
        SharedProcessor<T> processor,
        VersionWaiters<T> versionWaiters,
        InformerReport<T> report) {

    /** Makes the parts of an informer that is not started, from the handlers back to the server. */
    static <T extends KubeObject> Pipeline<T> of(
            ResourceType<T> type,
            String name,
            ListerWatcher<T> source,
            InformerConfig config,
            Scheduler scheduler,
            OwnedThreads threads) {
        OneShotLatch settled = new OneShotLatch();
        InformerMeter meter = new InformerMeter(name, scheduler);
        InformerTracer<T> tracer = new InformerTracer<>(meter, config.metrics().traces());

        ThreadSafeStore<ObjectName, T> store = new ThreadSafeStore<>(
                KubeObject::objectName, object -> object.metadata().resourceVersion());
        store.addIndexers(Map.of(Indexers.NAMESPACE, Indexers::byNamespace));
        SharedProcessor<T> processor = new SharedProcessor<>(name, scheduler, threads, store, config.resyncPeriod());
        DeltaProcessor<T> deltaProcessor = new DeltaProcessor<>(
                name, store, tracer.traced(processor), scheduler, config.announceUnchanged(), settled::release);
        DeltaConsumer<ObjectName, T> consumer = config.metrics() == InformerMetricsProvider.NONE
                ? deltaProcessor
                : new MeteredConsumer<>(deltaProcessor, scheduler, meter);

        boolean inOrder = config.queue() == InformerConfig.QueueKind.REAL_FIFO;
        DeltaQueue<ObjectName, T> plain = inOrder
                ? new RealFifo<>(KubeObject::objectName, scheduler)
                : new DeltaFifo<>(KubeObject::objectName, KnownObjects.of(store), scheduler);
        DeltaQueue<ObjectName, T> queue = tracer.traced(plain);

        ErrorHint errorHint = new ErrorHint(type, config.namespace());
        WatchErrors watchErrors = new WatchErrors(name, scheduler, errorHint);
        Transform<T> transform = new Transform<>(config.transform()::apply);
        Reflector<T> reflector = new Reflector<>(
                name,
                source,
                queue,
                transform,
                new Reflector.Observers(watchErrors, meter),
                new ResyncTimer(scheduler, new ResyncTarget<>(processor, queue)),
                config.withScheduler(scheduler));

        Progress progress = reflector.progress();
        VersionWaiters<T> versionWaiters = new VersionWaiters<>(
                name,
                store,
                inOrder
                        ? deltaProcessor::processedUpTo
                        // read before the size of the queue: what was received later is not processed
                        : () -> processedUpTo(progress.lastSyncResourceVersion(), plain),
                scheduler);
        if (!inOrder) {
            progress.whenReached(versionWaiters::changed);
        }
        return new Pipeline<>(
                settled,
                meter,
                tracer,
                watchErrors,
                transform,
                reflector,
                queue,
                consumer,
                store,
                processor,
                versionWaiters,
                new InformerReport<>(name, progress, store, queue, processor, errorHint));
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
    static final class Transform<T> implements UnaryOperator<T> {

        private volatile UnaryOperator<T> user;

        Transform(UnaryOperator<T> user) {
            this.user = user;
        }

        void replace(UnaryOperator<T> other) {
            user = other;
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
}
