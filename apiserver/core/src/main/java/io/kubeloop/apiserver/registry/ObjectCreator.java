/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.MetaValidation;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Creates objects (upstream: {@code registry/generic/registry/store.go} {@code Create}, {@code
 * registry/rest/create.go}). Thread-safe.
 */
final class ObjectCreator {

    /** The number of generated names that are tried while the previous name is taken. */
    private static final int MAX_NAME_ATTEMPTS = 8;

    private final ApiBackend backend;

    ObjectCreator(ApiBackend backend) {
        this.backend = backend;
    }

    /**
     * Creates an object.
     *
     * @param namespace the namespace of the path; empty for a cluster-scoped resource
     * @param body the object in its stored form
     * @param tracking adds the managed fields to the object with its defaults
     * @return the stored object, or the object that would have been stored
     */
    StoredObject create(
            ResourceStore store,
            String namespace,
            JsonObject body,
            UnaryOperator<JsonObject> tracking,
            WriteOptions options) {
        JsonObject object = inNamespace(store, namespace, body);
        boolean generated = Meta.name(object).isEmpty()
                && !Meta.text(object, "generateName").isEmpty();
        for (int attempt = 1; ; attempt++) {
            JsonObject named =
                    generated ? Meta.with(object, "name", generated(store, Meta.text(object, "generateName"))) : object;
            try {
                String unnamed = generated ? Meta.text(object, "generateName") : Meta.name(object);
                return attempt(store, named, unnamed, tracking, options);
            } catch (StatusException e) {
                if (!generated || !e.isAlreadyExists() || attempt == MAX_NAME_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private String generated(ResourceStore store, String prefix) {
        return store.strategy().keepsGeneratedNames() ? prefix : backend.names().generate(prefix);
    }

    private static JsonObject inNamespace(ResourceStore store, String namespace, JsonObject body) {
        if (!store.resource().type().isNamespaced()) {
            return Meta.without(body, "namespace");
        }
        IncomingObject.requireNamespace(body, namespace);
        return Meta.with(body, "namespace", namespace);
    }

    /**
     * Computes the object from a snapshot; computes it again if the namespace has changed since.
     *
     * @param unnamed the name, or the prefix of a generated name: upstream generates it after the mutation
     */
    private StoredObject attempt(
            ResourceStore store,
            JsonObject named,
            String unnamed,
            UnaryOperator<JsonObject> tracking,
            WriteOptions options) {
        while (true) {
            Snapshot now = backend.storage().snapshot();
            boolean dryRun = options.dryRun();
            Storage.Guard guard = namespaceGuard(store, named, now);
            AdmissionRequest admitted = admission(store, named, Meta.name(named), now, options);
            JsonObject tracked = tracking.apply(backend.withDefaults(store, withServersFields(store, named)));
            RestStrategy.Acquisition acquired = store.strategy().acquire(tracked, null, dryRun);
            StoredObject stored = null;
            try {
                AdmissionRequest mutated = admission(store, named, unnamed, now, options);
                JsonObject distinct = OwnerReferences.ofMutation(
                        backend.admission().mutate(mutated, acquired.object()), options.warnings());
                JsonObject prepared = prepare(store, distinct, options);
                backend.admission().validate(admitted, prepared);
                options.warnings().addAll(store.strategy().warnings(prepared, null, RestStrategy.Part.MAIN));
                String key = store.keyOf(prepared);
                StoredObject existing = now.get(store.bucket(), key);
                if (existing != null) {
                    throw StatusException.alreadyExists(
                            store.resource(), Meta.name(named), Meta.isDeleting(existing.tree()));
                }
                // As upstream, only the storage refuses an object with a version, so a dry run accepts it.
                String version = Meta.text(prepared, "resourceVersion");
                if (!dryRun && !version.isEmpty() && !version.equals("0")) {
                    throw StatusException.unclassified("resourceVersion should not be set on objects to be created");
                }
                JsonObject read = store.strategy().read(prepared);
                boolean outdated = !read.equals(prepared);
                JsonObject form = store.written(read);
                stored = backend.admission()
                        .store(
                                admitted,
                                prepared,
                                () -> dryRun
                                        ? StoredObject.unsaved(key, form)
                                        : backend.storage().create(store.bucket(), key, form, guard, outdated));
            } finally {
                if (stored == null || dryRun) {
                    acquired.undo().run();
                }
            }
            if (stored != null) {
                return store.readKept(stored);
            }
        }
    }

    private static AdmissionRequest admission(
            ResourceStore store, JsonObject object, String name, Snapshot now, WriteOptions options) {
        return new AdmissionRequest(
                AdmissionRequest.Operation.CREATE, store, "", Meta.namespace(object), name, null, now, options);
    }

    /** The namespace that admission has checked must not change until the write. */
    private Storage.@Nullable Guard namespaceGuard(ResourceStore store, JsonObject object, Snapshot now) {
        if (!store.resource().type().isNamespaced()) {
            return null;
        }
        ResourceStore namespaces = backend.namespaces();
        StoredObject found = now.get(namespaces.bucket(), Meta.namespace(object));
        return found == null ? null : new Storage.Guard(namespaces.bucket(), found);
    }

    private JsonObject withServersFields(ResourceStore store, JsonObject named) {
        JsonObject metadata = Meta.of(named)
                .without("deletionTimestamp")
                .without("deletionGracePeriodSeconds")
                .with("uid", backend.names().uid())
                .with("creationTimestamp", backend.now().toString());
        if (store.strategy().hasGeneration()) {
            metadata = metadata.with("generation", 1);
        }
        return named.with("metadata", metadata);
    }

    private JsonObject prepare(ResourceStore store, JsonObject object, WriteOptions options) {
        RestStrategy strategy = store.strategy();
        RestStrategy.Origin origin =
                new RestStrategy.Origin(options.user(), backend.now().toString());
        JsonObject prepared = strategy.signed(strategy.prepareForCreate(object), null, RestStrategy.Part.MAIN, origin);
        FieldErrors errors = options.errors(strategy);
        validate(strategy, prepared, errors);
        if (!errors.isEmpty() && options.sent().isKnown()) {
            errors = options.sent().errors();
            validate(strategy, prepared, errors);
        }
        if (!errors.isEmpty()) {
            throw store.invalid(Meta.name(prepared), errors);
        }
        return prepared;
    }

    private void validate(RestStrategy strategy, JsonObject prepared, FieldErrors errors) {
        strategy.validateIn(
                () -> backend.namespaceLabels(Meta.namespace(prepared)),
                prepared,
                null,
                RestStrategy.Part.MAIN,
                errors);
        MetaValidation.validate(prepared, strategy::checkName, strategy.requiresQualifiedFinalizers(), errors);
        strategy.validate(prepared, errors);
        strategy.validateCreate(prepared, errors);
        if (errors.isEmpty()) {
            MetaValidation.validateCommon(prepared, errors);
        }
    }
}
