/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.discovery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.KubeObject;
import io.kubeloop.api.PartialObjectMetadata;
import io.kubeloop.api.ResourceType;
import io.kubeloop.cache.CacheSyncTimeoutException;
import io.kubeloop.cache.Lister;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one informer for each resource of a server that a controller follows, while resources come and go (upstream:
 * {@code GraphBuilder.syncMonitors}).
 *
 * <p>A resource whose list fails, such as one with a broken conversion webhook, delays no other resource.
 *
 * <p>Thread-safe. {@link #close} does not close the informers of the factory, which other controllers may use.
 */
public final class ResourceMonitors implements AutoCloseable {

    /*
     * Invariants
     *   M1  `monitors` holds the resources of the last update, and those whose group version had failed then.
     *   M2  After close, monitors is empty and stays empty.
     * Lock: `lock` guards both fields. Informers start, and registrations close, outside of it. Any thread calls
     * `update`, but one at a time: it is a controller's sync.
     */

    private static final Logger LOG = LoggerFactory.getLogger(ResourceMonitors.class);

    private final SharedInformerFactory informers;
    private final Predicate<ApiCatalog.Entry> isFollowed;
    private final Function<ApiCatalog.Entry, Followed<?>> following;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<ResourceType<PartialObjectMetadata>, Monitor> monitors = new LinkedHashMap<>();

    @GuardedBy("lock")
    private boolean closed;

    /**
     * The form and the handler with which a controller follows a resource.
     *
     * @param type the form in which its objects are cached: metadata only, generic, or a record
     * @param handler receives the events
     */
    public record Followed<T extends KubeObject>(ResourceType<T> type, ResourceEventHandler<? super T> handler) {}

    /**
     * A resource with a monitor.
     *
     * @param type the resource
     * @param lister its cached objects
     * @param hasSynced whether the handler has received the first list
     */
    public record Monitored(
            ResourceType<PartialObjectMetadata> type, Lister<? extends KubeObject> lister, boolean hasSynced) {}

    private record Monitor(
            ResourceType<?> cachedAs, SharedInformer<? extends KubeObject> informer, Registration registration) {

        /**
         * An informer of whole objects may belong to other controllers, which do not follow the resources of the
         * server.
         */
        void close() {
            registration.close();
            if (cachedAs.objectClass() == PartialObjectMetadata.class) {
                informer.close();
            }
        }
    }

    /**
     * Creates monitors without resources.
     *
     * @param informers supplies the informers
     * @param isFollowed selects resources; called only with those in the preferred version that can be listed and
     *     watched
     * @param following returns what to follow of a selected resource
     */
    public ResourceMonitors(
            SharedInformerFactory informers,
            Predicate<ApiCatalog.Entry> isFollowed,
            Function<ApiCatalog.Entry, Followed<?>> following) {
        this.informers = informers;
        this.isFollowed = isFollowed;
        this.following = following;
    }

    /**
     * Starts monitors of new resources and stops those of resources that are gone. A resource whose group version could
     * not be read keeps its monitor. Does not wait for the caches. O(number of resources).
     *
     * @param catalog the resources of the server
     */
    public void update(ApiCatalog catalog) {
        Map<ResourceType<PartialObjectMetadata>, ApiCatalog.Entry> wanted = new LinkedHashMap<>();
        for (ApiCatalog.Entry entry : catalog.preferred()) {
            if (entry.supports("list", "watch") && isFollowed.test(entry)) {
                wanted.put(entry.type(), entry);
            }
        }
        for (Map.Entry<ResourceType<PartialObjectMetadata>, Monitor> gone :
                removeOthers(wanted, catalog).entrySet()) {
            LOG.debug("Stopping the monitor of {}: the server no longer serves it", gone.getKey());
            gone.getValue().close();
        }
        for (ApiCatalog.Entry entry : wanted.values()) {
            if (!isMonitored(entry.type())) {
                start(entry.type(), following.apply(entry));
            }
        }
    }

    private Map<ResourceType<PartialObjectMetadata>, Monitor> removeOthers(
            Map<ResourceType<PartialObjectMetadata>, ApiCatalog.Entry> wanted, ApiCatalog catalog) {
        Map<ResourceType<PartialObjectMetadata>, Monitor> gone = new LinkedHashMap<>();
        copy().forEach((type, monitor) -> {
            boolean isServed = wanted.containsKey(type);
            boolean isUnknown = catalog.failures().containsKey(type.apiVersion());
            if (isServed ? isClosed(monitor) : !isUnknown) {
                gone.put(type, monitor);
            }
        });
        lock.lock();
        try {
            monitors.keySet().removeAll(gone.keySet());
        } finally {
            lock.unlock();
        }
        return gone;
    }

    /**
     * Another controller that shares the informer may have closed it while the resource was not served for a moment.
     */
    private boolean isClosed(Monitor monitor) {
        return informers.informer(monitor.cachedAs()) != monitor.informer();
    }

    private Map<ResourceType<PartialObjectMetadata>, Monitor> copy() {
        lock.lock();
        try {
            return new LinkedHashMap<>(monitors);
        } finally {
            lock.unlock();
        }
    }

    private boolean isMonitored(ResourceType<PartialObjectMetadata> type) {
        lock.lock();
        try {
            return closed || monitors.containsKey(type);
        } finally {
            lock.unlock();
        }
    }

    private <T extends KubeObject> void start(ResourceType<PartialObjectMetadata> type, Followed<T> followed) {
        LOG.debug("Starting a monitor of {}", type);
        SharedInformer<T> informer = informers.informer(followed.type());
        Registration registration = informer.addHandler(followed.handler());
        boolean kept;
        lock.lock();
        try {
            kept = !closed;
            if (kept) {
                monitors.put(type, new Monitor(followed.type(), informer, registration));
            }
        } finally {
            lock.unlock();
        }
        if (kept) {
            informer.start();
        } else {
            registration.close();
        }
    }

    /** Returns the resources that have a monitor. O(number of resources). */
    public List<Monitored> monitored() {
        List<Monitored> all = new ArrayList<>();
        copy().forEach((type, monitor) -> all.add(new Monitored(
                type, monitor.informer().lister(), monitor.registration().hasSynced())));
        return all;
    }

    /**
     * Returns whether there is a monitor, and every monitor's handler has received its first list. O(number of
     * resources).
     */
    public boolean hasSynced() {
        List<Monitor> all = all();
        return !all.isEmpty()
                && all.stream().allMatch(monitor -> monitor.registration().hasSynced());
    }

    /** Returns the resources that have not been read yet. O(number of resources). */
    public List<ResourceType<PartialObjectMetadata>> unsynced() {
        List<ResourceType<PartialObjectMetadata>> unsynced = new ArrayList<>();
        lock.lock();
        try {
            monitors.forEach((type, monitor) -> {
                if (!monitor.registration().hasSynced()) {
                    unsynced.add(type);
                }
            });
        } finally {
            lock.unlock();
        }
        return unsynced;
    }

    /**
     * Blocks until every monitor's handler has received its first list.
     *
     * @param timeout the longest wait for all of them together
     * @return false if the time passed first, or if a monitor was removed
     * @throws InterruptedException if interrupted while waiting
     */
    public boolean awaitSync(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        for (Monitor monitor : all()) {
            try {
                monitor.registration().awaitSync(Duration.ofNanos(deadline - System.nanoTime()));
            } catch (CacheSyncTimeoutException e) {
                LOG.debug("A resource was not read in time: {}", e.getMessage());
                return false;
            }
        }
        return true;
    }

    private List<Monitor> all() {
        lock.lock();
        try {
            return List.copyOf(monitors.values());
        } finally {
            lock.unlock();
        }
    }

    /** Removes all handlers. Does not block. */
    @Override
    public void close() {
        List<Monitor> all;
        lock.lock();
        try {
            closed = true;
            all = List.copyOf(monitors.values());
            monitors.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(monitor -> monitor.registration().close());
    }
}
