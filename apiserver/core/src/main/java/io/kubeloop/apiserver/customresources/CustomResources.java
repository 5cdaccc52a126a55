/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.customresources.definitions.Crd;
import io.kubeloop.apiserver.customresources.definitions.CrdLifecycle;
import io.kubeloop.apiserver.customresources.definitions.DefinitionConditions;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.FieldTracking;
import io.kubeloop.apiserver.registry.ObjectDeleter;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.apiserver.registry.request.DeleteParameters;
import io.kubeloop.apiserver.rest.ResourceDefinition;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.SerialReconciler;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.apiserver.storage.codec.StorageCodec;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows the custom resource definitions of a server: accepts their names, serves their resources, and deletes the
 * objects of deleted definitions (upstream: the controllers of {@code apiextensions-apiserver}).
 *
 * <p>Thread-safe. All of it runs on the threads of the requests that write: when the write of a definition returns, its
 * resource is served. A deletion that must wait for finalizers of objects continues with the write that removes the
 * last one.
 */
public final class CustomResources {

    /*
     * Invariants:
     *   C1  One thread at a time computes the state that follows from the definitions, from the storage alone; see
     *       SerialReconciler. No lock is held meanwhile: the computation writes to the storage, whose callbacks and
     *       those of the registry run on the same thread, and may wait for a conversion webhook.
     *   C2  served contains the resources that were last put into the registry. A definition is served in the state of
     *       one of its revisions.
     *   C3  served and followed are confined to the thread that computes.
     */

    private final SerialReconciler reconciler = new SerialReconciler(this::compute);
    private final Map<String, Served> served = new HashMap<>();
    private final ApiBackend backend;
    private final ResourceStore definitions;
    private final Storage storage;
    private final ResourceRegistry registry;
    private final CrdLifecycle lifecycle;
    private final InstanceCleanup cleanup;
    private final Set<String> builtIn = new HashSet<>();

    /** The buckets whose writes this class follows. */
    private final Set<String> followed = new HashSet<>();

    /**
     * The names of the terminating definitions' buckets. Replaced, never modified, so writers read it without a
     * lock.
     */
    private volatile Set<String> terminating = Set.of();

    /**
     * The served versions of one definition.
     *
     * @param object the definition
     * @param definitions the resources in the registry
     */
    private record Served(StoredObject object, List<ResourceDefinition> definitions) {}

    private CustomResources(ApiBackend backend, ResourceStore definitions) {
        this.backend = backend;
        this.definitions = definitions;
        storage = backend.storage();
        registry = backend.registry();
        lifecycle = new CrdLifecycle(() -> backend.now().toString());
        cleanup = new InstanceCleanup(backend);
        registry.stores().forEach(store -> builtIn.add(store.type().toString()));
    }

    /** Follows the definitions of a server from now on. Does nothing if the server does not serve definitions. */
    public static void follow(ApiBackend backend) {
        ResourceStore definitions = backend.storeOfKind("apiextensions.k8s.io/v1", "CustomResourceDefinition");
        if (definitions != null) {
            CustomResources resources = new CustomResources(backend, definitions);
            resources.storage.onWrite(definitions.bucket(), resources.reconciler::reconcile);
        }
    }

    private void compute() {
        List<StoredObject> all = all();
        if (!advance(all)) {
            serve(all);
            finish(all);
        }
    }

    private List<StoredObject> all() {
        List<StoredObject> all = new ArrayList<>();
        definitions.objects(storage.snapshot(), "").forEach(all::add);
        return all;
    }

    /** Writes the next condition of a definition that has one to come; returns false if none has. */
    private boolean advance(List<StoredObject> all) {
        List<Crd> views = all.stream().map(object -> new Crd(object.tree())).toList();
        for (StoredObject object : all) {
            JsonObject next = lifecycle.next(new Crd(object.tree()), views);
            if (next != null) {
                // A definition that was changed meanwhile is computed again; so are the others after an accepted name.
                var unused = storage.put(definitions.bucket(), object.key(), object, tracked(object, next), null);
                reconciler.reconcile();
                return true;
            }
        }
        return false;
    }

    /** Returns the next state of a definition, whose conditions belong to the server as field manager. */
    private JsonObject tracked(StoredObject object, JsonObject next) {
        return new FieldTracking(backend, definitions, "status", WriteOptions.ofServer()).updated(object.tree(), next);
    }

    private void serve(List<StoredObject> all) {
        Set<String> present = new HashSet<>();
        Set<String> ending = new HashSet<>();
        for (StoredObject object : all) {
            Crd definition = new Crd(object.tree());
            if (definition.isServed() && !builtIn.contains(definition.name())) {
                present.add(definition.name());
                serve(object, definition);
                if (definition.isTerminating()) {
                    ending.add(definition.name());
                }
            }
        }
        for (String name : List.copyOf(served.keySet())) {
            if (!present.contains(name)) {
                served.remove(name);
                registry.replace(name, List.of());
            }
        }
        terminating = Set.copyOf(ending);
    }

    private void serve(StoredObject object, Crd definition) {
        String name = definition.name();
        Served before = served.get(name);
        Crd old = null;
        if (before != null) {
            if (before.object() == object) {
                return;
            }
            old = new Crd(before.object().tree());
            if (!old.looksDifferent(definition)) {
                served.put(name, new Served(object, before.definitions()));
                return;
            }
        }
        List<ResourceDefinition> now = ServedVersion.of(definition, this::codec);
        served.put(name, new Served(object, now));
        if (old != null && old.hasSameSpec(definition)) {
            registry.update(name, now);
        } else {
            registry.replace(name, now);
        }
        if (followed.add(name)) {
            storage.onWrite(storage.bucket(name), () -> onInstanceWrite(name));
        }
    }

    /** Returns the converter of a version that calls a webhook; null if the version needs none. */
    private @Nullable StorageCodec codec(Crd definition, String apiVersion) {
        return definition.hasConversionWebhook()
                ? new WebhookConversion(
                        definition,
                        apiVersion,
                        backend.kinds().webhook(backend, definition.conversion().object("webhook", "clientConfig")),
                        () -> backend.names().uid())
                : null;
    }

    /** The last object of a terminating definition may be gone. */
    private void onInstanceWrite(String bucket) {
        if (terminating.contains(bucket)) {
            reconciler.reconcile();
        }
    }

    /** Deletes the objects of terminating definitions, and then the definitions. */
    private void finish(List<StoredObject> all) {
        for (StoredObject object : all) {
            Crd definition = new Crd(object.tree());
            if (!definition.isTerminating() || !Meta.finalizers(object.tree()).contains(Crd.CLEANUP_FINALIZER)) {
                continue;
            }
            if (!lifecycle.isDeletingInstances(definition)) {
                write(object, lifecycle.deletingInstances(definition));
                return;
            }
            if (definition.isTrue(DefinitionConditions.ESTABLISHED)
                    && !builtIn.contains(definition.name())
                    && !cleanup.deleteAll(instances(definition))) {
                continue; // objects with finalizers remain
            }
            write(object, lifecycle.finished(definition));
            return;
        }
    }

    private ResourceStore instances(Crd definition) {
        return new ResourceStore(ServedVersion.ofStorage(definition), storage.bucket(definition.name()));
    }

    private void write(StoredObject object, JsonObject changed) {
        boolean gone = Meta.finalizers(changed).isEmpty() && Meta.isDeleting(changed);
        var unused = gone
                ? storage.remove(definitions.bucket(), object)
                : storage.put(definitions.bucket(), object.key(), object, changed, null);
        reconciler.reconcile();
    }

    /** Deletes the objects of a definition that is being deleted (upstream: {@code crd_finalizer.go}). Thread-safe. */
    private static final class InstanceCleanup {

        private final ApiBackend backend;
        private final ObjectDeleter deleter;

        InstanceCleanup(ApiBackend backend) {
            this.backend = backend;
            deleter = new ObjectDeleter(backend);
        }

        /** Deletes the objects of a store, and returns whether none remains. */
        boolean deleteAll(ResourceStore store) {
            for (StoredObject object : store.objects(backend.storage().snapshot(), "")) {
                if (!Meta.isDeleting(object.tree())) {
                    delete(store, object);
                }
            }
            return !store.hasObjects(backend.storage().snapshot(), "");
        }

        private void delete(ResourceStore store, StoredObject object) {
            try {
                deleter.delete(
                        store,
                        Meta.namespace(object.tree()),
                        Meta.name(object.tree()),
                        DeleteParameters.ofObject(Meta.uid(object.tree()), ""));
            } catch (StatusException e) {
                if (!e.isNotFound()) {
                    throw e; // another client has deleted the object
                }
            }
        }
    }
}
