/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.Patch;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.patch.MergeSchema;
import io.kubeloop.apiserver.patch.Patches;
import io.kubeloop.apiserver.registry.request.Query;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.patch.PatchException;
import io.kubeloop.json.tree.JsonObject;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Patches objects: applies the patch to the current state, and again to the newer state after a conflict (upstream:
 * {@code apiserver/pkg/endpoints/handlers/patch.go}). Thread-safe.
 */
final class ObjectPatcher {

    private static final String ACCEPTED_WITHOUT_TYPE =
            "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml";

    private final ApiBackend backend;
    private final ObjectCreator creator;
    private final ObjectUpdater updater;
    private final CreateOrUpdate createOrUpdate;

    ObjectPatcher(ApiBackend backend, ObjectCreator creator, ObjectUpdater updater, CreateOrUpdate createOrUpdate) {
        this.backend = backend;
        this.creator = creator;
        this.updater = updater;
        this.createOrUpdate = createOrUpdate;
    }

    ServerResponse patch(
            ResourceStore store, RequestInfo info, Query query, ApiRequest request, RestStrategy.Part part) {
        Patch.Type type = type(request);
        if (type == Patch.Type.STRATEGIC_MERGE && store.definition().decoder().requiresKind()) {
            throw StatusException.unsupportedMediaType(ACCEPTED_WITHOUT_TYPE); // a strategic merge needs a type
        }
        WriteOptions options = query.writeOptions("PatchOptions");
        FieldTracking tracking = new FieldTracking(backend, store, info.subresource(), options);
        if (type == Patch.Type.APPLY) {
            AppliedConfig config = AppliedConfig.read(request, query);
            Supplier<StoredObject> update = () -> updater.update(
                    store,
                    info.namespace(),
                    info.name(),
                    part,
                    current -> applied(store, info, tracking, store.served(current), config, options),
                    options);
            boolean creates = part == RestStrategy.Part.MAIN || store.strategy().createsOnUpdate();
            ServerResponse.Document applied = creates
                    ? createOrUpdate.execute(
                            store, info, options.user(), () -> create(store, info, tracking, config, options), update)
                    : ServerResponse.Document.of(200, store, update.get());
            return applied.withWarnings(options.warnings().texts());
        }
        ObjectUpdater.Change change =
                tracking.tracked(current -> patched(store, info, type, store.served(current), request, options));
        StoredObject patched = updater.update(store, info.namespace(), info.name(), part, change, options);
        return ServerResponse.Document.of(200, store, patched)
                .withWarnings(options.warnings().texts());
    }

    /** Returns the patched object in the stored form. */
    private static JsonObject patched(
            ResourceStore store,
            RequestInfo info,
            Patch.Type type,
            JsonObject current,
            ApiRequest request,
            WriteOptions options) {
        ResourceType<?> resource = store.resource().type();
        MergeSchema schema = MergeSchema.of(resource.apiVersion(), resource.kind());
        boolean strict = options.fieldValidation() != WriteOptions.FieldValidation.IGNORE;
        JsonObject object = attempt(() -> {
            Patches.Reading patch = Patches.read(type, body(request), strict);
            JsonObject patched = Patches.apply(type, schema, current, patch.patch());
            return IncomingObject.patched(
                    store, type, patch, patched, info.subresource().equals("status"), options);
        });
        Subresources.requireNamed(info, object);
        return object;
    }

    private StoredObject create(
            ResourceStore store, RequestInfo info, FieldTracking tracking, AppliedConfig config, WriteOptions options) {
        JsonObject applied = applied(store, info, tracking, null, config, options);
        JsonObject unversioned = Meta.without(applied, "resourceVersion");
        return creator.create(store, info.namespace(), unversioned, UnaryOperator.identity(), options);
    }

    /** Returns the merged object in the stored form. */
    private static JsonObject applied(
            ResourceStore store,
            RequestInfo info,
            FieldTracking tracking,
            @Nullable JsonObject current,
            AppliedConfig config,
            WriteOptions options) {
        JsonObject applied = IncomingObject.applied(store, tracking.applied(current, config), options);
        config.checkDuplicates(options);
        String uid = Meta.uid(applied);
        if (current == null && !uid.isEmpty()) {
            throw StatusException.conflict(
                    store.resource(),
                    info.name(),
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
        }
        Subresources.requireNamed(info, applied);
        return applied;
    }

    /**
     * Applies the patch of a request.
     *
     * @throws StatusException 400 if the patch is malformed; 413 if it has too many operations; 422 if it cannot be
     *     applied or makes the object too large; 500 if it is a strategic merge patch that the merge cannot process
     */
    static JsonObject apply(Patch.Type type, MergeSchema schema, JsonObject current, ApiRequest request) {
        return attempt(() -> Patches.apply(
                type, schema, current, Patches.read(type, body(request), true).patch()));
    }

    private static byte[] body(ApiRequest request) {
        return Objects.requireNonNull(request.body()).bytes();
    }

    private static JsonObject attempt(Supplier<JsonObject> patch) {
        try {
            return patch.get();
        } catch (PatchException e) {
            String message = String.valueOf(e.getMessage());
            throw switch (e.kind()) {
                case MALFORMED -> StatusException.badRequest(message);
                case UNPROCESSABLE -> StatusException.unprocessable();
                case TOO_LARGE -> StatusException.tooLarge(message);
                case FAILED -> StatusException.unclassified(message);
            };
        }
    }

    /**
     * Returns the patch type of a request.
     *
     * @throws StatusException 415 if the content type is not a patch, 422 if an apply lacks its field manager or
     *     another patch sets {@code force}
     */
    static Patch.Type type(ApiRequest request) {
        ApiRequest.Body body = request.body();
        if (body != null) {
            String contentType = body.contentType().split(";", 2)[0];
            for (Patch.Type type : Patch.Type.values()) {
                if (contentType.equals(type.contentType())) {
                    checkManager(type, request);
                    return type;
                }
            }
        }
        throw StatusException.route(415, "UnsupportedMediaType", "Unsupported Media Type");
    }

    private static void checkManager(Patch.Type type, ApiRequest request) {
        if (type != Patch.Type.APPLY && new Query(request.query()).optionalFlag("force") != null) {
            FieldErrors errors = new FieldErrors();
            errors.forbidden("force", "may not be specified for non-apply patch");
            throw StatusException.invalid("meta.k8s.io", "PatchOptions", "", errors);
        }
        if (type == Patch.Type.APPLY
                && new Query(request.query()).text("fieldManager").isEmpty()) {
            FieldErrors errors = new FieldErrors();
            errors.required("fieldManager", "is required for apply patch");
            throw StatusException.invalid("meta.k8s.io", "PatchOptions", "", errors);
        }
    }
}
