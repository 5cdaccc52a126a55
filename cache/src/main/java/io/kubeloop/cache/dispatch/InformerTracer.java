/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.dispatch;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.metrics.InformerTrace;
import io.kubeloop.cache.metrics.InformerTrace.Change;
import io.kubeloop.cache.metrics.InformerTrace.Place;
import io.kubeloop.cache.queue.DeltaConsumer;
import io.kubeloop.cache.queue.DeltaQueue;
import io.kubeloop.cache.runtime.InformerMeter;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decorates the queue, the distributor and the handlers of an informer, so its metrics receive a trace of each
 * event while they are watched. An informer whose metrics do not trace has none of these decorators.
 *
 * <p>Thread-safe. The thread that carries the event reports it, without a lock.
 */
public final class InformerTracer<T extends KubeObject> {

    private final InformerMeter meter;
    private final boolean traces;

    /** @param traces whether to decorate anything */
    public InformerTracer(InformerMeter meter, boolean traces) {
        this.meter = meter;
        this.traces = traces;
    }

    /** Returns a queue that reports what the reflector received. */
    public DeltaQueue<ObjectName, T> traced(DeltaQueue<ObjectName, T> queue) {
        return traces ? new TracedQueue(queue) : queue;
    }

    /** Returns a distributor that reports what was stored. */
    public Distributor<T> traced(Distributor<T> distributor) {
        return traces ? new TracedDistributor(distributor) : distributor;
    }

    /** Returns a handler that reports its calls. */
    public ResourceEventHandler<? super T> traced(ResourceEventHandler<? super T> handler) {
        return traces ? new TracedHandler(handler) : handler;
    }

    private static <T extends KubeObject> Change change(T oldObject, T newObject) {
        boolean repeats = oldObject
                .metadata()
                .resourceVersion()
                .equals(newObject.metadata().resourceVersion());
        return repeats && oldObject.equals(newObject) ? Change.UNCHANGED : Change.UPDATED;
    }

    private void report(Place place, Change change, T object, EventCause cause, String handler) {
        if (meter.isWatched()) {
            meter.trace(new InformerTrace(
                    place, change, object.objectName(), object.metadata().resourceVersion(), cause, handler));
        }
    }

    private void report(Place place, DeletedObject<? extends T> deleted, EventCause cause, String handler) {
        if (meter.isWatched()) {
            T last = deleted.lastKnown();
            Change change = deleted instanceof DeletedObject.Observed ? Change.DELETED : Change.TOMBSTONE;
            String version = last == null ? "" : last.metadata().resourceVersion();
            meter.trace(new InformerTrace(place, change, deleted.name(), version, cause, handler));
        }
    }

    private final class TracedQueue implements DeltaQueue<ObjectName, T> {

        private final DeltaQueue<ObjectName, T> queue;

        TracedQueue(DeltaQueue<ObjectName, T> queue) {
            this.queue = queue;
        }

        @Override
        public void add(T object) {
            report(Place.RECEIVED, Change.ADDED, object, EventCause.WATCH, "");
            queue.add(object);
        }

        @Override
        public void update(T object) {
            report(Place.RECEIVED, Change.UPDATED, object, EventCause.WATCH, "");
            queue.update(object);
        }

        @Override
        public void delete(T object) {
            report(Place.RECEIVED, Change.DELETED, object, EventCause.WATCH, "");
            queue.delete(object);
        }

        @Override
        public void deleteUnseen(ObjectName key, @Nullable T lastKnown) {
            queue.deleteUnseen(key, lastKnown);
        }

        @Override
        public void replace(List<T> objects, String resourceVersion) {
            queue.replace(objects, resourceVersion);
        }

        @Override
        public void resync() {
            queue.resync();
        }

        @Override
        public void bookmark(String resourceVersion) {
            queue.bookmark(resourceVersion);
        }

        @Override
        public boolean pop(DeltaConsumer<ObjectName, T> consumer) {
            return queue.pop(consumer);
        }

        @Override
        public boolean hasSynced() {
            return queue.hasSynced();
        }

        @Override
        public int size() {
            return queue.size();
        }

        @Override
        public void close() {
            queue.close();
        }

        @Override
        public boolean isClosed() {
            return queue.isClosed();
        }
    }

    private final class TracedDistributor implements Distributor<T> {

        private final Distributor<T> distributor;

        /** Reports a notification as if it were called with it. */
        private final ResourceEventHandler<T> stored = new ResourceEventHandler<>() {
            @Override
            public void onAdd(T object, boolean isInInitialList, EventCause cause) {
                report(Place.STORED, Change.ADDED, object, cause, "");
            }

            @Override
            public void onUpdate(T oldObject, T newObject, EventCause cause) {
                report(Place.STORED, change(oldObject, newObject), newObject, cause, "");
            }

            @Override
            public void onDelete(DeletedObject<T> deleted, EventCause cause) {
                report(Place.STORED, deleted, cause, "");
            }
        };

        TracedDistributor(Distributor<T> distributor) {
            this.distributor = distributor;
        }

        @Override
        public void distribute(Notification.Batch<T> changes) {
            if (meter.isWatched()) {
                changes.notifications().forEach(notification -> notification.deliverTo(stored));
            }
            distributor.distribute(changes);
        }

        @Override
        public void resync() {
            distributor.resync();
        }

        @Override
        public void synced() {
            distributor.synced();
        }
    }

    private final class TracedHandler implements ResourceEventHandler<T> {

        private final ResourceEventHandler<T> handler;
        private final String name;

        @SuppressWarnings("unchecked") // a handler of a wider type accepts these objects, and only reads a deletion
        TracedHandler(ResourceEventHandler<? super T> handler) {
            this.handler = (ResourceEventHandler<T>) handler;
            this.name = handler.handlerName();
        }

        @Override
        public void onAdd(T object, boolean isInInitialList, EventCause cause) {
            call(
                    () -> handler.onAdd(object, isInInitialList, cause),
                    place -> report(place, Change.ADDED, object, cause, name));
        }

        @Override
        public void onUpdate(T oldObject, T newObject, EventCause cause) {
            Change change = change(oldObject, newObject);
            call(
                    () -> handler.onUpdate(oldObject, newObject, cause),
                    place -> report(place, change, newObject, cause, name));
        }

        @Override
        public void onDelete(DeletedObject<T> deleted, EventCause cause) {
            call(() -> handler.onDelete(deleted, cause), place -> report(place, deleted, cause, name));
        }

        private void call(Runnable call, Consumer<Place> report) {
            report.accept(Place.CALLED);
            Place outcome = Place.FAILED;
            try {
                call.run();
                outcome = Place.RETURNED;
            } finally {
                report.accept(outcome);
            }
        }

        @Override
        public String handlerName() {
            return name;
        }
    }
}
