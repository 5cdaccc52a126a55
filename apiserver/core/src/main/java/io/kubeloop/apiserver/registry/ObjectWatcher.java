/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.registry.request.ListParameters;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.ExpiredException;
import io.kubeloop.apiserver.storage.StorageWatcher;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.apiserver.storage.WatchStart;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Opens watches (upstream: {@code storage/cacher/cacher.go} {@code Watch}). Thread-safe. */
final class ObjectWatcher {

    private final ApiBackend backend;

    ObjectWatcher(ApiBackend backend) {
        this.backend = backend;
    }

    /**
     * Opens a watch. As upstream, a version that is too old is reported in a frame of the watch, not as a failed
     * request.
     */
    ServerResponse watch(ResourceStore store, String namespace, Selection selection, ListParameters parameters) {
        Long after = after(parameters);
        WatchStart start = new WatchStart(
                store.firstKey(namespace),
                store.endKey(namespace),
                filter(store, selection),
                selection.trigger(namespace, !store.isConvertedByWebhook()),
                after,
                after == null && Boolean.TRUE.equals(parameters.sendInitialEvents()) && parameters.bookmarks(),
                parameters.bookmarks() ? backend.bookmarkInterval() : null,
                parameters.timeoutSeconds() == null ? null : Duration.ofSeconds(parameters.timeoutSeconds()));
        try {
            StorageWatcher watcher = new StorageWatcher(backend.storage(), store.bucket(), start, backend.scheduler());
            return new WatchFrames(store, watcher);
        } catch (ExpiredException e) {
            return new WatchFrames(store, e);
        }
    }

    /**
     * The selectors of a resource with a conversion webhook apply to the served form, unless they read the name only.
     */
    private static Predicate<StoredObject> filter(ResourceStore store, Selection selection) {
        return store.isConvertedByWebhook() && selection.readsContent()
                ? object -> selection.test(store.readKept(object))
                : selection;
    }

    /** Returns the revision after which the watch starts; null to start with the current state. */
    private @Nullable Long after(ListParameters parameters) {
        long revision = parameters.revision();
        Boolean initial = parameters.sendInitialEvents();
        if (initial == null) {
            return revision == 0 ? null : (Long) revision;
        }
        long now = backend.storage().revision();
        if (revision > now) {
            throw StatusException.tooLargeResourceVersion(revision, now);
        }
        if (initial) {
            return null;
        }
        return revision == 0 ? now : revision;
    }
}
