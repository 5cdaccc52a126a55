/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.informer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListerWatcher;
import io.kubeloop.api.selector.ShardSelector;
import io.kubeloop.cache.CacheSyncTimeoutException;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.InformerScope;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.runtime.Durations;
import io.kubeloop.runtime.OwnedThreads;
import io.kubeloop.runtime.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Informers of one client, one per resource and scope. Thread-safe. */
public final class ClientInformerFactory implements SharedInformerFactory {

    /*
     * Informers are started, awaited and closed without the lock. An informer that
     * was closed on its own moves to leaving at the next request for an informer, and is dropped when its threads have
     * ended. It may have been closed by one of them, and close() must wait for all threads.
     */

    private final KubeClient client;
    private final InformerConfig config;
    private final Scheduler scheduler;
    private final boolean ownsTimers;
    private final Set<Thread> family = OwnedThreads.newFamily();

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Subject, SharedIndexInformer<?>> informers = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final List<SharedIndexInformer<?>> leaving = new ArrayList<>();

    @GuardedBy("lock")
    private boolean closed;

    /** The resource and scope of an informer; its key in this factory. */
    private record Subject(ResourceType<?> type, InformerScope scope) {

        /* Methods of its own, as in ObjectName. */

        @Override
        public boolean equals(Object other) {
            return other instanceof Subject subject && type.equals(subject.type) && scope.equals(subject.scope);
        }

        @Override
        public int hashCode() {
            return 31 * type.hashCode() + scope.hashCode();
        }
    }

    public ClientInformerFactory(KubeClient client, InformerConfig config) {
        this.client = client;
        this.config = config;
        Scheduler given = config.scheduler();
        this.ownsTimers = given == null;
        this.scheduler = given == null ? Scheduler.system(config.threads()) : given;
    }

    @Override
    public <T extends KubeObject> SharedInformer<T> informer(ResourceType<T> type) {
        return informer(type, config.scope());
    }

    @Override
    @SuppressWarnings("unchecked") // an informer is stored under its own type
    public <T extends KubeObject> SharedInformer<T> informer(ResourceType<T> type, InformerScope scope) {
        Subject subject = new Subject(type, scope);
        SharedIndexInformer<?> informer = present(subject);
        if (informer == null) {
            informer = keep(subject, make(type, scope));
        }
        return (SharedInformer<T>) informer;
    }

    private @Nullable SharedIndexInformer<?> present(Subject subject) {
        lock.lock();
        try {
            requireNotClosed();
            dropClosed();
            return informers.get(subject);
        } finally {
            lock.unlock();
        }
    }

    /** Drops closed informers: they cannot be started again, and their caches may be large. */
    @GuardedBy("lock")
    private void dropClosed() {
        List<SharedIndexInformer<?>> kept = leaving;
        leaving.removeIf(SharedIndexInformer::hasEnded);
        informers.values().removeIf(informer -> informer.isClosed() && (informer.hasEnded() || kept.add(informer)));
    }

    /** Stores the informer unless another thread has stored one for this subject. Returns the stored informer. */
    private SharedIndexInformer<?> keep(Subject subject, SharedIndexInformer<?> made) {
        lock.lock();
        try {
            requireNotClosed();
            dropClosed();
            SharedIndexInformer<?> present = informers.putIfAbsent(subject, made);
            return present == null ? made : present;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ResourceType<? extends KubeObject> cachedAs(ResourceType<PartialObjectMetadata> type) {
        lock.lock();
        try {
            requireNotClosed();
            dropClosed();
            for (Subject subject : informers.keySet()) {
                if (subject.scope().equals(config.scope())
                        && subject.type().toString().equals(type.toString())
                        && subject.type().version().equals(type.version())
                        && subject.type().objectClass() != PartialObjectMetadata.class) {
                    return subject.type();
                }
            }
            return type;
        } finally {
            lock.unlock();
        }
    }

    private <T extends KubeObject> SharedIndexInformer<T> make(ResourceType<T> type, InformerScope scope) {
        ListerWatcher<T> source = client.resource(type)
                .listerWatcher(
                        scope.namespace(), emptyToNull(scope.labelSelector()), emptyToNull(scope.fieldSelector()));
        if (!scope.shardSelector().isEmpty()) {
            source = new ShardedSource<>(source, ShardSelector.parse(scope.shardSelector()));
        }
        return new SharedIndexInformer<>(
                type,
                source,
                config.withResyncPeriod(config.resyncPeriods().getOrDefault(type, config.resyncPeriod()))
                        .withScope(scope),
                scheduler,
                family);
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }

    @GuardedBy("lock")
    private void requireNotClosed() {
        if (closed) {
            throw new IllegalStateException("the informer factory is closed");
        }
    }

    @Override
    public void start() {
        all().forEach(SharedIndexInformer::start);
    }

    @Override
    public void awaitSync(Duration timeout) throws InterruptedException {
        long deadline = scheduler.nanoTime() + Durations.nanos(timeout);
        List<SharedIndexInformer<?>> late = new ArrayList<>();
        for (SharedIndexInformer<?> informer : all()) {
            if (informer.wasStarted() && !informer.trySync(Duration.ofNanos(deadline - scheduler.nanoTime()))) {
                late.add(informer);
            }
        }
        if (!late.isEmpty()) {
            throw new CacheSyncTimeoutException("caches not filled within " + timeout + ": "
                    + late.stream().map(SharedIndexInformer::whyNotSynced).collect(Collectors.joining("; ")));
        }
    }

    @Override
    public List<InformerHealth> health() {
        return all().stream().map(SharedIndexInformer::health).toList();
    }

    private List<SharedIndexInformer<?>> all() {
        lock.lock();
        try {
            return List.copyOf(informers.values());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        List<SharedIndexInformer<?>> closedBefore;
        lock.lock();
        try {
            closed = true;
            closedBefore = List.copyOf(leaving);
        } finally {
            lock.unlock();
        }
        // All informers are stopped before the first wait, so the total wait is that of the slowest one, not the sum.
        all().forEach(SharedIndexInformer::stop);
        all().forEach(SharedIndexInformer::close);
        closedBefore.forEach(SharedIndexInformer::close);
        if (ownsTimers) {
            scheduler.close();
        }
    }
}
