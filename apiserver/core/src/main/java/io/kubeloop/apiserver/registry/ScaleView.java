/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.fieldmanager.FieldPath;
import io.kubeloop.apiserver.fieldmanager.ScaleOwnership;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.patch.MergeSchema;
import io.kubeloop.apiserver.patch.Patches;
import io.kubeloop.apiserver.registry.request.Query;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.ScalePaths;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.apiserver.typed.MapOrder;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.tree.LabelSelectorTrees;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The {@code scale} subresource: the replicas of an object as an {@code autoscaling/v1} {@code Scale} (upstream:
 * the {@code ScaleREST} of each resource). Thread-safe.
 */
public final class ScaleView {

    private final ApiBackend backend;
    private final ObjectUpdater updater;

    ScaleView(ApiBackend backend, ObjectUpdater updater) {
        this.backend = backend;
        this.updater = updater;
    }

    ServerResponse get(ResourceStore store, StoredObject object) {
        ScaleFields.requireReplicas(store, object.tree());
        return ServerResponse.Document.of(200, of(store, object.tree()));
    }

    ServerResponse put(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        WriteOptions options = query.writeOptions("UpdateOptions");
        JsonObject scale = IncomingObject.read("autoscaling/v1", "Scale", ApiHandler.json(request), options);
        Subresources.requireNamed(info, scale);
        FieldTracking tracking = new FieldTracking(backend, store, "scale", options);
        ObjectUpdater.Change change = Subresources.replace(store, scale);
        return update(store, info, options, current -> tracking.written(current, change.apply(current)));
    }

    ServerResponse patch(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        Patch.Type type = ObjectPatcher.type(request);
        WriteOptions options = query.writeOptions("PatchOptions");
        FieldTracking tracking = new FieldTracking(backend, store, "scale", options);
        if (type == Patch.Type.APPLY) {
            AppliedConfig config = AppliedConfig.read(request, query);
            return update(store, info, options, current -> decoded(tracking.applied(current, config)));
        }
        MergeSchema schema = MergeSchema.of("autoscaling/v1", "Scale");
        ObjectUpdater.Change change = current ->
                tracking.written(current, patched(type, ObjectPatcher.apply(type, schema, current, request), request));
        return update(store, info, options, change);
    }

    /**
     * Returns a patched scale in the form in which the server encodes it.
     *
     * @throws StatusException 422 if a member has the wrong type
     */
    private JsonObject patched(Patch.Type type, JsonObject scale, ApiRequest request) {
        try {
            return TypedJson.decode(type(), scale).object();
        } catch (DecodeException e) {
            JsonValue patch = Patches.read(
                            type, Objects.requireNonNull(request.body()).bytes(), true)
                    .patch();
            throw IncomingObject.invalidPatch(
                    Patches.text(type, MapOrder.sorted(type(), scale), patch), String.valueOf(e.getMessage()));
        }
    }

    private StructSchema type() {
        return type(backend);
    }

    private static StructSchema type(ApiBackend backend) {
        return Objects.requireNonNull(backend.kinds().type("autoscaling/v1", "Scale"));
    }

    /** Returns a scale in the form in which the server encodes it. */
    private JsonObject decoded(JsonObject scale) {
        return decoded(type(), scale);
    }

    private static JsonObject decoded(StructSchema type, JsonObject scale) {
        try {
            return TypedJson.decode(type, scale).object();
        } catch (DecodeException e) {
            throw StatusException.badRequest("Scale in version \"v1\" cannot be handled as a Scale: " + e.getMessage());
        }
    }

    /**
     * Updates the replicas.
     *
     * @param change computes the scale, with its managed fields, from the current one
     */
    private ServerResponse update(
            ResourceStore store, RequestInfo info, WriteOptions options, ObjectUpdater.Change change) {
        String version = store.type().apiVersion();
        ScaleOwnership ownership = new ScaleOwnership(version, Map.of(version, replicas(store)));
        ObjectUpdater.Change scaling = new ObjectUpdater.Change() {

            @Override
            public JsonObject apply(JsonObject current) {
                JsonObject scale = change.apply(ownership.toScale(current, of(store, current)));
                return ownership.toParent(scaled(store, current, scale), scale);
            }

            @Override
            public String subresource(RestStrategy.Part part) {
                return "scale";
            }
        };
        StoredObject stored =
                updater.update(store, info.namespace(), info.name(), RestStrategy.Part.MAIN, scaling, options);
        return ServerResponse.Document.of(200, of(store, stored.tree()));
    }

    /**
     * Returns the object with the replicas and the resource version of the scale.
     *
     * @throws StatusException 422 if the number of replicas is negative
     */
    public static JsonObject scaled(ResourceStore store, JsonObject current, JsonObject scale) {
        JsonValue wanted = scale.get("spec", "replicas");
        Long replicas = wanted == null ? Long.valueOf(0) : scale.number("spec", "replicas");
        boolean custom = store.strategy().scalePaths() != null; // whose values are checked with the whole object
        if (wanted != null && (replicas == null || (replicas < 0 && !custom))) {
            FieldErrors errors = new FieldErrors();
            errors.invalid("spec.replicas", wanted, "must be greater than or equal to 0");
            throw StatusException.invalid("autoscaling", "Scale", Meta.name(current), errors);
        }
        JsonObject result = ScaleFields.withReplicas(store, current, replicas == null ? 0 : replicas);
        String version = Meta.text(scale, "resourceVersion");
        return version.isEmpty() ? result : Meta.with(result, "resourceVersion", version);
    }

    private static FieldPath replicas(ResourceStore store) {
        return FieldPath.of(ScaleFields.replicasPath(store).toArray(String[]::new));
    }

    private JsonObject of(ResourceStore store, JsonObject object) {
        return of(backend, store, object);
    }

    /** Returns the scale of an object. */
    public static JsonObject of(ApiBackend backend, ResourceStore store, JsonObject object) {
        JsonObject metadata = JsonObject.EMPTY;
        for (String field : new String[] {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
            metadata = Members.take(metadata, field, Meta.of(object));
        }
        JsonObject scale = JsonObject.EMPTY
                .with("kind", "Scale")
                .with("apiVersion", "autoscaling/v1")
                .with("metadata", metadata)
                .with("spec", ScaleFields.spec(store, object))
                .with("status", ScaleFields.status(store, object));
        return decoded(type(backend), scale);
    }

    /**
     * The fields of an object that its scale shows. Built-in kinds have them at fixed places, custom resources where
     * their definition states. Static functions only.
     */
    private static final class ScaleFields {

        private ScaleFields() {}

        /**
         * Checks that an object has desired replicas.
         *
         * @throws StatusException 500 if it is a custom resource without them, as upstream
         */
        static void requireReplicas(ResourceStore store, JsonObject object) {
            ScalePaths paths = store.strategy().scalePaths();
            if (paths != null && number(object, paths.specReplicas()) == null) {
                throw StatusException.internalError(
                        "the spec replicas field \"." + String.join(".", paths.specReplicas()) + "\" does not exist");
            }
        }

        /** Returns the {@code spec} of the scale of an object. */
        static JsonObject spec(ResourceStore store, JsonObject object) {
            return JsonObject.EMPTY.with("replicas", orZero(number(object, replicasPath(store))));
        }

        /** Returns the path of the desired replicas. */
        static List<String> replicasPath(ResourceStore store) {
            ScalePaths paths = store.strategy().scalePaths();
            return paths == null ? List.of("spec", "replicas") : paths.specReplicas();
        }

        /** Returns the {@code status} of the scale of an object. */
        static JsonObject status(ResourceStore store, JsonObject object) {
            ScalePaths paths = store.strategy().scalePaths();
            if (paths == null) {
                return JsonObject.EMPTY
                        .with("replicas", orZero(object.number("status", "replicas")))
                        .with("selector", selector(object.object("spec", "selector")));
            }
            JsonObject status = JsonObject.EMPTY.with("replicas", orZero(number(object, paths.statusReplicas())));
            String selector = paths.selector().isEmpty() ? "" : object.string(array(paths.selector()));
            return selector.isEmpty() ? status : status.with("selector", selector);
        }

        /** Returns the object with other desired replicas. */
        static JsonObject withReplicas(ResourceStore store, JsonObject object, long replicas) {
            return object.with(replicasPath(store), JsonNumber.of(replicas));
        }

        private static @Nullable Long number(JsonObject object, List<String> path) {
            return object.number(array(path));
        }

        private static String[] array(List<String> path) {
            return path.toArray(String[]::new);
        }

        private static long orZero(@Nullable Long number) {
            return number == null ? 0 : number;
        }

        /** A ReplicationController has a map of labels where newer kinds have a label selector. */
        private static String selector(JsonObject selector) {
            boolean plain = !selector.has("matchLabels") && !selector.has("matchExpressions");
            try {
                return plain
                        ? LabelSelectors.ofMap(selector.strings()).toString()
                        : LabelSelectorTrees.read(selector).toString();
            } catch (InvalidSelectorException e) {
                throw StatusException.internal("invalid label selector: " + e.getMessage());
            }
        }
    }
}
