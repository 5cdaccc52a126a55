/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.apiserver.apply.FieldManagers;
import io.kubeloop.apiserver.fieldmanager.ApplyException;
import io.kubeloop.apiserver.fieldmanager.FieldManager;
import io.kubeloop.apiserver.fieldmanager.ManagedFields;
import io.kubeloop.apiserver.fieldmanager.ServedVersions;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records the manager of one request as the owner of the fields that it writes (upstream: {@code scope.FieldManager} in
 * {@code apiserver/pkg/endpoints/handlers}). Immutable; thread-safe.
 */
public final class FieldTracking {

    private final ApiBackend backend;
    private final ResourceStore store;
    private final FieldManager fields;
    private final JsonObject empty;
    private final String manager;

    /**
     * Creates the tracking of a request.
     *
     * @param subresource the subresource that the request writes; empty for the object itself
     */
    public FieldTracking(ApiBackend backend, ResourceStore store, String subresource, WriteOptions options) {
        this.backend = backend;
        this.store = store;
        FieldManagers managers = store.fields(this::managers);
        fields = managers.of(subresource);
        empty = managers.empty();
        manager = options.fieldManager();
    }

    private FieldManagers managers(ResourceStore of) {
        return new FieldManagers(
                of.type().apiVersion(),
                of.type().kind(),
                of.schema(),
                new StoredVersions(backend.registry(), of),
                backend.kinds().ownable(of.resource()));
    }

    /** Returns an object that is created, with its managed fields. Both have the stored form. */
    public JsonObject created(JsonObject object) {
        return tracked(empty, object);
    }

    /** Returns an object that replaces another one, with its managed fields. All have the stored form. */
    public JsonObject updated(JsonObject current, JsonObject next) {
        return tracked(store.served(current), next);
    }

    private JsonObject tracked(JsonObject servedCurrent, JsonObject next) {
        JsonObject tracked = written(servedCurrent, store.served(next));
        JsonValue managed = ManagedFields.encodedIn(tracked);
        return managed == null ? ManagedFields.removeFrom(next) : ManagedFields.with(next, managed);
    }

    /**
     * Returns an object that replaces another one, with its managed fields; without any if a webhook cannot convert the
     * object into the version of one of its managers. All have the served form.
     */
    JsonObject written(JsonObject current, JsonObject next) {
        try {
            return fields.update(current, next, manager, backend.now().instant());
        } catch (StatusException e) {
            return ManagedFields.removeFrom(next); // as upstream; a read in that version reports the failure
        }
    }

    /** Returns the change with the managed fields that follow from it. */
    ObjectUpdater.Change tracked(ObjectUpdater.Change change) {
        return new ObjectUpdater.Change() {
            @Override
            public JsonObject apply(JsonObject current) {
                return change.apply(current);
            }

            @Override
            public JsonObject track(JsonObject current, JsonObject next) {
                return updated(current, next);
            }

            @Override
            public String subresource(RestStrategy.Part part) {
                return change.subresource(part);
            }
        };
    }

    /**
     * Applies a configuration.
     *
     * @param current the object in the served form; null if the apply creates it
     * @return the merged object in the served form, in which removed members can be null
     * @throws StatusException 409 if another manager owns a field that changes, 400 or 500 if the configuration is
     *     invalid
     */
    JsonObject applied(@Nullable JsonObject current, AppliedConfig config) {
        try {
            return fields.apply(
                    current == null ? empty : current,
                    config.object(),
                    manager,
                    config.force(),
                    backend.now().instant());
        } catch (ApplyException e) {
            throw failure(e);
        }
    }

    /**
     * Merges a part of an object into it, without an owner of its fields.
     *
     * @param current the object in the served form
     * @throws ApplyException if the part does not fit the schema, or sets a list or an object that can only be replaced
     *     as a whole
     */
    public JsonObject merged(JsonObject current, JsonObject part) {
        return fields.merged(current, part);
    }

    private static StatusException failure(ApplyException e) {
        String message = String.valueOf(e.getMessage());
        return switch (e.reason()) {
            case BAD_REQUEST -> StatusException.badRequest(message);
            case FAILED -> StatusException.unclassified(message);
            case CONFLICT -> {
                List<JsonValue> causes = e.conflicts().stream()
                        .<JsonValue>map(conflict -> StatusException.cause(
                                "FieldManagerConflict",
                                "conflict with " + conflict.manager(),
                                conflict.path().toString()))
                        .toList();
                yield StatusException.applyConflict(message, JsonArray.of(causes));
            }
        };
    }

    /** The versions in which the objects of a bucket are served now. Thread-safe. */
    private static final class StoredVersions implements ServedVersions {

        private final ResourceRegistry registry;
        private final ResourceStore store;

        /**
         * Creates the versions of a resource.
         *
         * @param store any version of it
         */
        StoredVersions(ResourceRegistry registry, ResourceStore store) {
            this.registry = registry;
            this.store = store;
        }

        private @Nullable ResourceStore in(String apiVersion) {
            if (apiVersion.equals(store.type().apiVersion())) {
                return store;
            }
            ResourceStore found = registry.storeOfKind(apiVersion, store.type().kind());
            return found == null || !found.bucket().equals(store.bucket()) ? null : found;
        }

        @Override
        public @Nullable TypeSchema type(String apiVersion) {
            ResourceStore version = in(apiVersion);
            return version == null ? null : version.schema();
        }

        @Override
        public @Nullable JsonObject convert(JsonObject object, String apiVersion) {
            String current = object.string("apiVersion");
            if (current.equals(apiVersion)) {
                return object;
            }
            ResourceStore from = in(current);
            ResourceStore to = in(apiVersion);
            return from == null || to == null ? null : to.served(to.adopted(from, from.stored(object)));
        }
    }
}
