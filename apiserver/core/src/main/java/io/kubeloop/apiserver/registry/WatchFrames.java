/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.ExpiredException;
import io.kubeloop.apiserver.storage.SleepObserver;
import io.kubeloop.apiserver.storage.StorageWatcher;
import io.kubeloop.apiserver.storage.WatchNotification;
import io.kubeloop.apiserver.storage.codec.ObjectDecoder;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the notifications of a watch into frames. One thread reads; any thread may close. */
final class WatchFrames implements ServerResponse.Frames {

    private final ResourceStore store;
    private final @Nullable StorageWatcher watcher;
    // Confined to the reading thread: the error of the last frame before the watch ends.
    private @Nullable StatusException failure;

    /** Creates the frames of a watcher. */
    WatchFrames(ResourceStore store, StorageWatcher watcher) {
        this.store = store;
        this.watcher = watcher;
    }

    /** Creates a watch that sends one error frame: its start version is too old. */
    WatchFrames(ResourceStore store, ExpiredException expired) {
        this.store = store;
        this.watcher = null;
        failure = StatusException.expired(expired);
    }

    @Override
    public List<String> warnings() {
        return store.strategy().useWarnings();
    }

    @Override
    public @Nullable WatchFrame next() throws InterruptedException {
        if (failure == null && watcher != null) {
            try {
                WatchNotification notification = watcher.next();
                return notification == null ? null : frame(notification);
            } catch (ExpiredException e) {
                failure = StatusException.expired(e);
            } catch (StatusException e) {
                failure = e; // a webhook cannot convert an object
            }
        }
        return failure == null ? null : last(failure);
    }

    private WatchFrame last(StatusException error) {
        failure = null;
        close();
        return WatchFrame.of(WatchFrame.ERROR, error.status());
    }

    @Override
    public void observe(SleepObserver observer) {
        if (watcher != null) {
            watcher.observe(observer);
        }
    }

    @Override
    public boolean hasMore() {
        try {
            return failure != null || (watcher != null && watcher.hasMore());
        } catch (StatusException e) {
            failure = e;
            return true;
        }
    }

    @Override
    public void close() {
        if (watcher != null) {
            watcher.close();
        }
    }

    private WatchFrame frame(WatchNotification notification) {
        if (notification instanceof WatchNotification.Change change) {
            return WatchFrame.of(
                    change.type().name(), store, store.readKept(change.object()), change.forms(), change.weight());
        }
        return WatchFrame.of(WatchFrame.BOOKMARK, bookmark((WatchNotification.Bookmark) notification));
    }

    private JsonObject bookmark(WatchNotification.Bookmark bookmark) {
        JsonObject metadata = JsonObject.EMPTY.with("resourceVersion", Long.toString(bookmark.revision()));
        if (bookmark.initialEventsEnd()) {
            metadata = metadata.with(
                    "annotations", JsonObject.EMPTY.with("k8s.io/initial-events-end", JsonBoolean.TRUE.toString()));
        }
        JsonObject object = JsonObject.EMPTY
                .with("kind", store.type().kind())
                .with("apiVersion", store.type().apiVersion())
                .with("metadata", metadata);
        // As upstream, the object of a built-in kind is a struct, whose zero values are written.
        ObjectDecoder decoder = store.definition().decoder();
        return decoder.requiresKind()
                ? object
                : decoder.decode(object.toBytes()).object();
    }
}
