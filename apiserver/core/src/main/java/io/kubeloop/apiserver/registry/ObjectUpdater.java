/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.admission.AdmissionRequest;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.fieldmanager.ManagedFields;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.objectmeta.MetaValidation;
import io.kubeloop.apiserver.registry.request.ListParameters;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Updates objects with optimistic concurrency (upstream: {@code registry/generic/registry/store.go} {@code Update},
 * {@code registry/rest/update.go}). Thread-safe.
 */
public final class ObjectUpdater {

    private final ApiBackend backend;

    /** Creates an updater of the objects of a backend. */
    public ObjectUpdater(ApiBackend backend) {
        this.backend = backend;
    }

    /** Computes the new state of an object, in the stored form. Called again with the newer state after a conflict. */
    @FunctionalInterface
    public interface Change {

        /**
         * Returns the new object.
         *
         * @throws StatusException if the change is not allowed
         */
        JsonObject apply(JsonObject current);

        /**
         * Returns the new object with its managed fields. By default they are those that {@link #apply} has returned.
         *
         * @param next the new object with defaults, before the server restores the fields that this request cannot
         *     change
         */
        default JsonObject track(JsonObject current, JsonObject next) {
            return next;
        }

        /** Returns the subresource that admission receives for a change of a part of the object. */
        default String subresource(RestStrategy.Part part) {
            return part.subresource();
        }
    }

    /** As {@link #update}, and records the manager of the options as the owner of the fields that the change writes. */
    public StoredObject updateAs(
            ResourceStore store,
            String namespace,
            String name,
            RestStrategy.Part part,
            Change change,
            WriteOptions options) {
        FieldTracking tracking = new FieldTracking(backend, store, part.subresource(), options);
        return update(store, namespace, name, part, tracking.tracked(change), options);
    }

    /**
     * Updates an object.
     *
     * @param part the part that the client may change
     * @param change computes the new object; a resource version in its result must be the current one
     * @return the stored object, or the object that would have been stored; the last state if the update has
     *     completed the deletion
     */
    public StoredObject update(
            ResourceStore store,
            String namespace,
            String name,
            RestStrategy.Part part,
            Change change,
            WriteOptions options) {
        boolean dryRun = options.dryRun();
        String key = store.key(namespace, name);
        while (true) {
            StoredObject found = store.require(backend.storage().snapshot().get(store.bucket(), key), name);
            StoredObject seen = store.readKept(found);
            JsonObject wanted = IncomingObject.ordered(store, change.apply(seen.tree()));
            checkVersion(store, seen, wanted);
            JsonObject tracked = change.track(seen.tree(), candidate(store, seen, wanted));
            RestStrategy.Acquisition acquired = acquire(store, seen, tracked, part, dryRun);
            boolean kept = false;
            try {
                AdmissionRequest admitted = admitted(store, seen, change.subresource(part), options);
                JsonObject mutated = OwnerReferences.ofMutation(
                        backend.admission().mutate(admitted, acquired.object()), options.warnings());
                JsonObject prepared = prepare(store, seen, mutated, part, options);
                backend.admission().validate(admitted, prepared);
                options.warnings().addAll(store.strategy().warnings(prepared, seen.tree(), part));
                boolean ends = !prepared.equals(seen.tree()) && ObjectDeleter.isComplete(store.strategy(), prepared);
                JsonObject form = store.written(prepared);
                StoredObject written = backend.admission().store(admitted, prepared, () -> {
                    if (dryRun) {
                        return StoredObject.unsaved(key, form);
                    }
                    return ends ? remove(store, found, form) : write(store, found, form);
                });
                if (written != null) {
                    kept = !ends && !dryRun;
                    return store.readKept(written);
                }
                // Another writer was first. The next attempt reads the newer state, against which a resource
                // version that the client has set is rejected.
            } finally {
                if (!kept) {
                    acquired.undo().run();
                }
            }
        }
    }

    private JsonObject candidate(ResourceStore store, StoredObject seen, JsonObject wanted) {
        JsonObject metadata = MetaValidation.keepServersFields(Meta.of(wanted), Meta.of(seen.tree()));
        JsonObject candidate = backend.withDefaults(store, wanted.with("metadata", metadata));
        // An empty list of managed fields resets them, but defaults drop empty lists.
        JsonValue managed = ManagedFields.encodedIn(wanted);
        return managed != null && managed.equals(JsonArray.EMPTY)
                ? Meta.with(candidate, "managedFields", managed)
                : candidate;
    }

    private static RestStrategy.Acquisition acquire(
            ResourceStore store, StoredObject seen, JsonObject candidate, RestStrategy.Part part, boolean dryRun) {
        return part == RestStrategy.Part.MAIN
                ? store.strategy().acquire(candidate, seen.tree(), dryRun)
                : new RestStrategy.Acquisition(candidate, () -> {});
    }

    private AdmissionRequest admitted(
            ResourceStore store, StoredObject seen, String subresource, WriteOptions options) {
        return new AdmissionRequest(
                AdmissionRequest.Operation.UPDATE,
                store,
                subresource,
                Meta.namespace(seen.tree()),
                Meta.name(seen.tree()),
                seen.tree(),
                backend.storage().snapshot(),
                options);
    }

    private @Nullable StoredObject remove(ResourceStore store, StoredObject found, JsonObject form) {
        StoredObject removed = backend.storage().remove(store.bucket(), found);
        if (removed != null) {
            store.strategy().release(found.tree(), null);
        }
        return removed == null ? null : StoredObject.unsaved(found.key(), form);
    }

    private @Nullable StoredObject write(ResourceStore store, StoredObject found, JsonObject form) {
        if (!found.outdated() && isSame(form, found.tree())) {
            return found;
        }
        StoredObject stored = backend.storage().put(store.bucket(), found.key(), found, form, null);
        if (stored != null) {
            store.strategy().release(found.tree(), form);
        }
        return stored;
    }

    /** As upstream, another order of the managed fields is a change, because the storage compares bytes. */
    private static boolean isSame(JsonObject prepared, JsonObject old) {
        return prepared.equals(old)
                && String.valueOf(ManagedFields.encodedIn(prepared))
                        .equals(String.valueOf(ManagedFields.encodedIn(old)));
    }

    private JsonObject prepare(
            ResourceStore store,
            StoredObject seen,
            JsonObject candidate,
            RestStrategy.Part part,
            WriteOptions options) {
        JsonObject old = seen.tree();
        String name = Meta.name(old);
        RestStrategy.Origin origin =
                new RestStrategy.Origin(options.user(), backend.now().toString());
        JsonObject prepared =
                store.strategy().signed(store.strategy().prepareForUpdate(candidate, old, part), old, part, origin);
        if (store.strategy().hasGeneration()
                && part == RestStrategy.Part.MAIN
                && store.strategy().isCounted(prepared, old)) {
            prepared = Meta.nextGeneration(prepared);
        }
        FieldErrors errors = options.errors(store.strategy());
        validate(store.strategy(), prepared, old, part, errors);
        if (!errors.isEmpty() && options.sent().isKnown()) {
            errors = options.sent().errors();
            validate(store.strategy(), prepared, old, part, errors);
        }
        options.warnings().addAll(errors.warnings());
        if (!errors.isEmpty()) {
            throw store.invalid(name, errors);
        }
        return withoutNewTimesOnly(Meta.with(prepared, "resourceVersion", Meta.text(old, "resourceVersion")), old);
    }

    private void validate(
            RestStrategy strategy, JsonObject prepared, JsonObject old, RestStrategy.Part part, FieldErrors errors) {
        strategy.validateIn(() -> backend.namespaceLabels(Meta.namespace(old)), prepared, old, part, errors);
        MetaValidation.validateCommon(prepared, errors);
        MetaValidation.validateUpdate(Meta.of(prepared), Meta.of(old), false, errors);
        for (RestStrategy.UpdateStep step : strategy.updateSteps(part)) {
            validate(strategy, step, prepared, old, part, errors);
        }
    }

    private static void validate(
            RestStrategy strategy,
            RestStrategy.UpdateStep step,
            JsonObject object,
            JsonObject old,
            RestStrategy.Part part,
            FieldErrors errors) {
        switch (step) {
            case METADATA ->
                MetaValidation.validate(object, strategy::checkName, strategy.requiresQualifiedFinalizers(), errors);
            case METADATA_CHANGE ->
                MetaValidation.validateUpdate(
                        Meta.of(object), Meta.of(old), strategy.requiresQualifiedFinalizers(), errors);
            case OBJECT -> strategy.validate(object, errors);
            case CHANGE -> strategy.validateUpdate(object, old, part, errors);
        }
    }

    /** A write that would change nothing but times of managed fields changes nothing. */
    private static JsonObject withoutNewTimesOnly(JsonObject prepared, JsonObject old) {
        JsonValue managed = ManagedFields.encodedIn(old);
        if (managed == null || !ManagedFields.differOnlyInTimes(managed, ManagedFields.encodedIn(prepared))) {
            return prepared;
        }
        JsonObject candidate = Meta.with(prepared, "managedFields", managed);
        return candidate.equals(old) ? candidate : prepared;
    }

    private static void checkVersion(ResourceStore store, StoredObject seen, JsonObject wanted) {
        String name = Meta.name(seen.tree());
        String version = Meta.text(wanted, "resourceVersion");
        if (version.isEmpty() || version.equals("0")) {
            if (store.strategy().requiresVersionOnUpdate()) {
                FieldErrors errors = new FieldErrors();
                errors.invalidLiteral("metadata.resourceVersion", "0", "must be specified for an update");
                throw StatusException.invalid(
                        store.resource().type().group(), store.resource().type().plural(), name, errors);
            }
        } else if (ListParameters.revision(version) != seen.revision()) {
            throw StatusException.modified(store.resource(), name);
        }
    }
}
