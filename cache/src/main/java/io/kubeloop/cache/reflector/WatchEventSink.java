package io.kubeloop.cache.reflector;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.cache.queue.DeltaQueue;
import io.kubeloop.cache.runtime.SafeLog;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the events of an open watch into the queue and moves the version on (RE-50 to RE-56). Reflector thread. */
final class WatchEventSink<T extends KubeObject> implements Predicate<WatchEvent<T>> {

    private static final Logger log = LoggerFactory.getLogger(WatchEventSink.class);

    private final String name;
    private final DeltaQueue<ObjectName, T> queue;
    private final UnaryOperator<T> transform;
    private final Progress progress;

    /** Whether the events so far may have come in no order of versions: then none of them says how far we are (RE-55). */
    private boolean unordered;

    WatchEventSink(
            String name,
            DeltaQueue<ObjectName, T> queue,
            UnaryOperator<T> transform,
            Progress progress,
            boolean unordered) {
        this.name = name;
        this.queue = queue;
        this.transform = transform;
        this.progress = progress;
        this.unordered = unordered;
    }

    /** Takes an event; never has enough. */
    @Override
    public boolean test(WatchEvent<T> event) {
        progress.heard();
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
        // Without a version the last one stays: a watch from no version would not tell what was deleted meanwhile.
        if (!unordered && !version.isEmpty()) {
            progress.reached(version);
        }
        return true;
    }

    /** Queues one object. If the transform fails on it, it is lost until the next list; the others go on (RE-53). */
    private void enqueue(WatchEvent<T> event, T object) {
        try {
            T transformed = transform.apply(object);
            if (event instanceof WatchEvent.Added) {
                queue.add(transformed);
            } else if (event instanceof WatchEvent.Modified) {
                queue.update(transformed);
            } else {
                queue.delete(transformed);
            }
        } catch (Exception e) { // declared or not: other languages don't
            progress.failed(e);
            SafeLog.log(() -> log.warn("{}: {} cannot be taken over: {}", name, object.objectName(), e.toString()));
        }
    }
}
