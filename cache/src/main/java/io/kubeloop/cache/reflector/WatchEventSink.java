/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.WatchEvent;
import io.kubeloop.cache.queue.DeltaQueue;
import io.kubeloop.runtime.UserCallbacks;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Queues the events of an open watch and advances the last received version. Confined to the reflector thread. */
final class WatchEventSink<T extends KubeObject> implements Predicate<WatchEvent<T>> {

    private static final Logger LOG = LoggerFactory.getLogger(WatchEventSink.class);

    private final String name;
    private final UnaryOperator<T> transform;
    private final Progress progress;
    private final DeltaQueue<ObjectName, T> queue;
    private final Consumer<T> additions;
    private final Consumer<T> modifications;
    private final Consumer<T> deletions;

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
            boolean unordered) {
        this.name = name;
        this.queue = queue;
        this.transform = transform;
        this.progress = progress;
        this.unordered = unordered;
        this.additions = queue::add;
        this.modifications = queue::update;
        this.deletions = queue::delete;
    }

    /** Takes an event. Always returns true, to continue. */
    @Override
    public boolean test(WatchEvent<T> event) {
        progress.eventArrived();
        if (event instanceof WatchEvent.Added<T> added) {
            change(added.object(), additions);
        } else if (event instanceof WatchEvent.Modified<T> modified) {
            unordered = false;
            change(modified.object(), modifications);
        } else if (event instanceof WatchEvent.Deleted<T> deleted) {
            unordered = false;
            change(deleted.object(), deletions);
        } else if (event instanceof WatchEvent.Bookmark<T> bookmark) {
            unordered = false;
            bookmark(bookmark.metadata().resourceVersion());
        }
        return true;
    }

    private void bookmark(String version) {
        if (!version.isEmpty()) {
            queue.bookmark(version);
            progress.reached(version);
        }
    }

    private void change(T object, Consumer<T> target) {
        if (!ObjectNames.isMissing(name, object)) {
            enqueue(object, target);
        }
        String version = object.metadata().resourceVersion();
        // An event without a version keeps the last version. A watch without a version would not report objects that
        // were deleted meanwhile.
        if (!unordered && !version.isEmpty()) {
            progress.reached(version);
        }
    }

    /**
     * Queues one object. If the transform fails on it, the cache lacks this change until the next list; later events
     * are not affected.
     */
    private void enqueue(T object, Consumer<T> target) {
        try {
            target.accept(transform.apply(object));
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
