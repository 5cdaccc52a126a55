/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ObjectReference;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Endpoints;
import io.kubeloop.api.core.Event;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.demo.Convergence.ServiceProgress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Queues the changes that informers report, for the thread that runs the demo.
 *
 * <p>Handlers of informers add to the queue, each on its own thread; one thread drains it. No lock.
 */
final class ClusterFeed {

    private final Queue<Runnable> reports = new ConcurrentLinkedQueue<>();
    private final Semaphore changes = new Semaphore(0);
    private final Convergence convergence;
    private final Narrator narrator;

    private ClusterFeed(Convergence convergence, Narrator narrator) {
        this.convergence = convergence;
        this.narrator = narrator;
    }

    /** Registers the handlers. The narrator is called by {@link #drain} only. */
    static ClusterFeed open(SharedInformerFactory informers, Convergence convergence, Narrator narrator) {
        ClusterFeed feed = new ClusterFeed(convergence, narrator);
        for (Owner.Reader<?> kind : Owner.KINDS) {
            feed.followOwners(informers, kind);
        }
        feed.follow(informers, ResourceTypes.EVENTS, feed::event, gone -> {});
        feed.follow(informers, ResourceTypes.PODS, feed::pod, gone -> {
            feed.owner(gone.lastKnown());
            narrator.podGone(gone.name());
        });
        feed.follow(informers, ResourceTypes.SERVICES, service -> {}, gone -> {});
        feed.follow(informers, ResourceTypes.ENDPOINTS, feed::endpoints, gone -> narrator.endpointsGone(gone.name()));
        return feed;
    }

    private <T extends KubeObject> void followOwners(SharedInformerFactory informers, Owner.Reader<T> kind) {
        follow(informers, kind.type(), reported -> owner(kind.read().apply(reported)), this::ownerGone);
    }

    private <T extends KubeObject> void follow(
            SharedInformerFactory informers, ResourceType<T> type, Consumer<T> seen, Consumer<DeletedObject<T>> gone) {
        informers.informer(type).addHandler(new ResourceEventHandler<T>() {
            @Override
            public void onAdd(T object, boolean isInInitialList) {
                report(() -> seen.accept(object));
            }

            @Override
            public void onUpdate(T oldObject, T newObject) {
                report(() -> seen.accept(newObject));
            }

            @Override
            public void onDelete(DeletedObject<T> deleted) {
                report(() -> gone.accept(deleted));
            }

            @Override
            public String handlerName() {
                return "demo";
            }
        });
    }

    private void report(Runnable report) {
        reports.add(report);
        wake();
    }

    /**
     * Passes on the state in the cache, which may be newer than the reported one. The controller acted on the cached
     * state of the owner, so the narrator must receive that state first.
     */
    private void pod(Pod reported) {
        Pod cached = convergence.pods().get(reported.objectName());
        Pod pod = cached == null ? reported : cached;
        owner(pod);
        narrator.pod(pod);
    }

    private void owner(Owner reported) {
        ObjectMeta meta = reported.metadata();
        Owner cached = convergence.owner(reported.kind(), new ObjectName(meta.namespace(), meta.name()));
        Owner owner = cached == null ? reported : cached;
        if (owner.controlsPods()) {
            narrator.owner(owner);
        }
    }

    /**
     * The narrator explains pods by their owner's kind. For other owners, the events of their controllers are shown.
     */
    private void event(Event event) {
        ObjectReference about = event.involvedObject();
        Owner owner = convergence.owner(about.kind(), new ObjectName(about.namespace(), about.name()));
        if (owner != null && !owner.controlsPods()) {
            narrator.event(owner, event.metadata().uid(), event.message());
        }
    }

    private void ownerGone(DeletedObject<? extends KubeObject> gone) {
        KubeObject last = gone.lastKnown();
        if (last != null) {
            narrator.ownerGone(last.metadata());
        }
    }

    private void owner(@Nullable Pod pod) {
        Owner owner = pod == null ? null : convergence.ownerOf(pod);
        if (owner != null && owner.controlsPods()) {
            narrator.owner(owner);
        }
    }

    /** Passes on the first state as it was reported, so it is explained even if the cache is ahead of it. */
    private void endpoints(Endpoints reported) {
        ObjectName name = reported.objectName();
        if (!narrator.hasExplained(name)) {
            passOn(reported);
        }
        // The pods became ready before the controller wrote their addresses, but their reports may come later.
        convergence.pods().list(name.namespace()).forEach(this::pod);
        Endpoints cached = convergence.endpoints().get(name);
        if (cached != null) {
            passOn(cached);
        }
    }

    private void passOn(Endpoints endpoints) {
        ServiceProgress progress = convergence.progress(endpoints);
        if (progress != null) {
            narrator.endpoints(endpoints.objectName(), progress);
        }
    }

    /** Passes the state of the caches to the narrator, which may be ahead of the reports. */
    void catchUp() {
        convergence.owners().forEach(kind -> kind.list().forEach(this::owner));
        convergence.pods().list().forEach(this::pod);
        convergence.endpoints().list().forEach(this::endpoints);
    }

    /** Ends the current or the next {@link #await}. Thread-safe. */
    void wake() {
        if (changes.availablePermits() == 0) {
            changes.release();
        }
    }

    /** Blocks until something changes, or for at most this many nanoseconds. */
    void await(long nanos) throws InterruptedException {
        changes.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    }

    /** Passes the queued changes to the narrator. */
    void drain() {
        changes.drainPermits();
        for (Runnable report = reports.poll(); report != null; report = reports.poll()) {
            report.run();
        }
    }
}
