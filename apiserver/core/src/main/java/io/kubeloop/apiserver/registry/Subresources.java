/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.request.Query;
import io.kubeloop.apiserver.registry.request.RequestInfo;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.rest.WriteOptions;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;

/** Executes the requests for subresources. Thread-safe. */
public final class Subresources {

    private static final Map<String, String> VERBS =
            Map.of("GET", "get", "PUT", "update", "PATCH", "patch", "POST", "create", "DELETE", "delete");

    private final ApiBackend backend;
    private final CreateOrUpdate createOrUpdate;
    private final ObjectPatcher patcher;
    private final ScaleView scales;
    private final Map<String, SubresourceHandler> special;

    Subresources(ApiBackend backend, ObjectUpdater updater, CreateOrUpdate createOrUpdate, ObjectPatcher patcher) {
        this.backend = backend;
        this.createOrUpdate = createOrUpdate;
        this.patcher = patcher;
        scales = new ScaleView(backend, updater);
        special = Map.copyOf(backend.kinds().subresources(backend));
    }

    ServerResponse execute(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        ServedResource.Subresource subresource = store.resource().subresource(info.subresource());
        if (subresource == null) {
            throw StatusException.noSuchPath();
        }
        if (!subresource.verbs().contains(VERBS.getOrDefault(request.method(), ""))) {
            throw StatusException.methodNotAllowed();
        }
        return switch (subresource.name()) {
            case "status" -> part(store, info, query, request, RestStrategy.Part.STATUS);
            case "finalize" -> part(store, info, query, request, RestStrategy.Part.FINALIZE);
            case "scale" -> scale(store, info, query, request);
            case "approval" -> part(store, info, query, request, RestStrategy.Part.APPROVAL);
            case "ephemeralcontainers" -> part(store, info, query, request, RestStrategy.Part.EPHEMERAL_CONTAINERS);
            case "resize" -> part(store, info, query, request, RestStrategy.Part.RESIZE);
            default -> special(store, subresource.name()).handle(store, info, query, request);
        };
    }

    private SubresourceHandler special(ResourceStore store, String subresource) {
        String name = store.resource().type().plural() + "/" + subresource;
        SubresourceHandler handler = special.get(name);
        if (handler == null) {
            throw StatusException.internal("nothing serves " + name);
        }
        return handler;
    }

    private ServerResponse scale(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        return switch (request.method()) {
            case "PUT" -> scales.put(store, info, query, request);
            case "PATCH" -> scales.patch(store, info, query, request);
            default -> scales.get(store, require(store, info));
        };
    }

    private ServerResponse part(
            ResourceStore store, RequestInfo info, Query query, ApiRequest request, RestStrategy.Part part) {
        return switch (request.method()) {
            case "PUT" -> {
                WriteOptions options = query.writeOptions("UpdateOptions");
                JsonObject body = readNamed(store, info, request, options);
                yield createOrUpdate.replace(store, info, part, body, options);
            }
            case "PATCH" -> patcher.patch(store, info, query, request, part);
            default -> ServerResponse.Document.of(200, store, require(store, info));
        };
    }

    /**
     * Returns the object that the path names.
     *
     * @throws StatusException 404 if it does not exist
     */
    StoredObject require(ResourceStore store, RequestInfo info) {
        String key = store.key(info.namespace(), info.name());
        return store.read(store.require(backend.storage().snapshot().get(store.bucket(), key), info.name()));
    }

    /**
     * Reads the object of an update.
     *
     * @throws StatusException 400 if the body names another object than the path
     */
    JsonObject readNamed(ResourceStore store, RequestInfo info, ApiRequest request, WriteOptions options) {
        JsonObject body = IncomingObject.read(store, request, options);
        requireNamed(info, body);
        return body;
    }

    /**
     * Checks that the body names the object of the path.
     *
     * @throws StatusException 400 if it does not
     */
    static void requireNamed(RequestInfo info, JsonObject body) {
        String namespace = Meta.namespace(body);
        if (!info.namespace().isEmpty() && !namespace.isEmpty() && !namespace.equals(info.namespace())) {
            throw StatusException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        String name = Meta.name(body);
        if (name.isEmpty()) {
            throw StatusException.badRequest("the name of the object (" + info.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        if (!name.equals(info.name())) {
            throw StatusException.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + info.name() + ")");
        }
    }

    /** Returns the change that replaces an object by the body; fails with 409 if the UID of the body is another. */
    static ObjectUpdater.Change replace(ResourceStore store, JsonObject body) {
        return current -> {
            String uid = Meta.uid(body);
            if (!uid.isEmpty() && !uid.equals(Meta.uid(current))) {
                throw otherUid(store, current, uid);
            }
            return body;
        };
    }

    /** Returns the failure 409 of a write that expects another UID than that of the stored object. */
    public static StatusException otherUid(ResourceStore store, JsonObject current, String expected) {
        return invalidObject(
                store,
                current,
                "Precondition failed: UID in precondition: " + expected + ", UID in object meta: " + Meta.uid(current));
    }

    /** Returns the failure 409 of a write that the storage refuses. */
    static StatusException invalidObject(ResourceStore store, JsonObject current, String why) {
        return StatusException.conflict(
                store.resource(),
                Meta.name(current),
                "StorageError: invalid object, Code: 4, Key: /registry/" + storagePrefix(store) + "/"
                        + store.keyOf(current) + ", ResourceVersion: 0, AdditionalErrorMsg: " + why);
    }

    private static String storagePrefix(ResourceStore store) {
        String prefix = store.strategy().storagePrefix();
        return prefix.isEmpty() ? store.resource().type().plural() : prefix;
    }

    /** Returns the {@code Status} of a success. */
    public static JsonObject success(int code, JsonObject details) {
        JsonObject status = JsonObject.EMPTY
                .with("kind", "Status")
                .with("apiVersion", "v1")
                .with("metadata", JsonObject.EMPTY)
                .with("status", "Success");
        return details.isEmpty() ? status.with("code", code) : status.with("details", details);
    }
}
