package io.kubeloop.controlplane.collector;

import io.kubeloop.apiserver.machinery.ApiFailure;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.apiserver.machinery.WriteOptions;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.DeleteParameters;
import io.kubeloop.apiserver.registry.ObjectDeleter;
import io.kubeloop.apiserver.registry.ObjectUpdater;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Deletes the content of terminating namespaces, and removes their finalizer once they are empty (upstream: {@code
 * pkg/controller/namespace/deletion}). Confined to the collector's thread.
 */
final class NamespaceCleaner {

    private final ApiBackend backend;
    private final ObjectUpdater updater;
    private final ObjectDeleter deleter;

    /** Terminating namespaces; true once the deletion of all their content has been requested. */
    private final Map<String, Boolean> terminating = new LinkedHashMap<>();

    NamespaceCleaner(ApiBackend backend) {
        this.backend = backend;
        updater = new ObjectUpdater(backend);
        deleter = new ObjectDeleter(backend);
    }

    /** Discards all progress, because another namespace of the same name may be terminating now. */
    void onReset() {
        terminating.clear();
    }

    void onUpsert(ObjectId id, StoredObject object) {
        if (isNamespace(id) && Meta.isDeleting(object.tree())) {
            terminating.putIfAbsent(id.key(), false);
        }
    }

    void onDelete(ObjectId id) {
        if (isNamespace(id)) {
            terminating.remove(id.key());
        }
    }

    private boolean isNamespace(ObjectId id) {
        return id.store().bucket() == backend.namespaces().bucket();
    }

    /**
     * Processes every terminating namespace. Nothing is created in a terminating namespace, so that one pass over
     * its content is enough.
     */
    void processPending() {
        for (String namespace : List.copyOf(terminating.keySet())) {
            if (!Objects.requireNonNull(terminating.get(namespace))) {
                deleteContent(namespace);
                terminating.put(namespace, true);
            }
            if (isEmpty(namespace)) {
                release(namespace);
            }
        }
    }

    private void deleteContent(String namespace) {
        for (ResourceStore store : namespaced()) {
            Snapshot now = backend.storage().snapshot();
            for (StoredObject object : store.objects(now, namespace)) {
                delete(store, namespace, object.tree());
            }
        }
    }

    private void delete(ResourceStore store, String namespace, JsonObject object) {
        DeleteParameters parameters = DeleteParameters.ofObject(Meta.uid(object), DeleteParameters.BACKGROUND);
        try {
            deleter.delete(store, namespace, Meta.name(object), parameters);
        } catch (ApiFailure e) {
            if (!e.isNotFound() && !e.isConflict()) {
                throw e;
            }
        }
    }

    private boolean isEmpty(String namespace) {
        Snapshot now = backend.storage().snapshot();
        return namespaced().stream().noneMatch(store -> store.hasObjects(now, namespace));
    }

    private void release(String namespace) {
        try {
            updater.update(
                    backend.namespaces(),
                    "",
                    namespace,
                    RestStrategy.Part.FINALIZE,
                    NamespaceCleaner::withoutContentFinalizer,
                    WriteOptions.ofServer());
        } catch (ApiFailure e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    private static JsonObject withoutContentFinalizer(JsonObject namespace) {
        List<JsonString> kept = namespace
                .array("spec", "finalizers")
                .strings()
                .filter(finalizer -> !finalizer.equals(Meta.CONTENT_FINALIZER))
                .map(JsonString::new)
                .toList();
        return namespace.with("spec", namespace.object("spec").with("finalizers", JsonArray.of(kept)));
    }

    private List<ResourceStore> namespaced() {
        return backend.stores().stream()
                .filter(store -> store.resource().type().isNamespaced())
                .toList();
    }
}
