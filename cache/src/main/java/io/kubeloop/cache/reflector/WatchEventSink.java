package io.kubeloop.cache.reflector;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.cache.EventCause;
import io.kubeloop.cache.InformerTrace;
import io.kubeloop.cache.queue.DeltaQueue;
import io.kubeloop.cache.runtime.InformerMeter;
import io.kubeloop.runtime.UserCallbacks;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Queues the events of an open watch and advances the last received version. Confined to the reflector thread. */
final class WatchEventSink<T extends KubeObject> implements Predicate<WatchEvent<T>> {

    private static final Logger LOG = LoggerFactory.getLogger(WatchEventSink.class);

    private final String name;
    private final DeltaQueue<ObjectName, T> queue;
    private final UnaryOperator<T> transform;
    private final Progress progress;
    private final InformerMeter meter;

    /**
     * True while the events may not be in the order of their versions. Events do not advance the last received version
     * then.
     */
    private boolean unordered;

    WatchEventSink(
            String name,
            DeltaQueue<ObjectName, T> queue,
            UnaryOperator<T> transform,
            Progress progress,
            InformerMeter meter,
            boolean unordered) {
        this.name = name;
        this.queue = queue;
        this.transform = transform;
        this.progress = progress;
        this.meter = meter;
        this.unordered = unordered;
    }

    /** Takes an event. Always returns true, to continue. */
    @Override
    public boolean test(WatchEvent<T> event) {
        progress.eventArrived();
        if (event instanceof WatchEvent.Bookmark<T> bookmark) {
            unordered = false;
            String version = bookmark.metadata().resourceVersion();
            if (!version.isEmpty()) {
                queue.bookmark(version);
                progress.reached(version);
            }
            return true;
        }
        T object;
        if (event instanceof WatchEvent.Added<T> added) {
            object = added.object();
        } else {
            unordered = false;
            object = event instanceof WatchEvent.Modified<T> modified
                    ? modified.object()
                    : ((WatchEvent.Deleted<T>) event).object();
        }
        if (!ObjectNames.isMissing(name, object)) {
            enqueue(event, object);
        }
        String version = object.metadata().resourceVersion();
        // An event without a version keeps the last version. A watch without a version would not report objects that
        // were deleted meanwhile.
        if (!unordered && !version.isEmpty()) {
            progress.reached(version);
        }
        return true;
    }

    private static <T extends KubeObject> InformerTrace received(WatchEvent<T> event, T object) {
        InformerTrace.Change change = event instanceof WatchEvent.Added
                ? InformerTrace.Change.ADDED
                : event instanceof WatchEvent.Modified ? InformerTrace.Change.UPDATED : InformerTrace.Change.DELETED;
        return new InformerTrace(
                InformerTrace.Place.RECEIVED,
                change,
                object.objectName(),
                object.metadata().resourceVersion(),
                EventCause.WATCH,
                "");
    }

    /**
     * Queues one object. If the transform fails on it, the cache lacks this change until the next list; later events
     * are not affected.
     */
    private void enqueue(WatchEvent<T> event, T object) {
        try {
            T transformed = transform.apply(object);
            if (meter.isWatched()) {
                meter.trace(received(event, transformed));
            }
            if (event instanceof WatchEvent.Added) {
                queue.add(transformed);
            } else if (event instanceof WatchEvent.Modified) {
                queue.update(transformed);
            } else {
                queue.delete(transformed);
            }
        } catch (Exception e) { // including checked exceptions that other JVM languages do not declare
            progress.failed(e);
            UserCallbacks.run(() -> LOG.warn(
                    "{}: cannot store {}; the cache lacks this change until the next list: {}",
                    name,
                    object.objectName(),
                    e.toString()));
        }
    }
}
