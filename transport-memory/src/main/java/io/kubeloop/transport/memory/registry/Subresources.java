package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.transport.memory.storage.StoredObject;

/** The parts and views of objects that have paths of their own. Thread-safe. */
final class Subresources {

    private final ApiBackend backend;
    private final ObjectUpdater updater;

    Subresources(ApiBackend backend, ObjectUpdater updater, ObjectDeleter deleter) {
        this.backend = backend;
        this.updater = updater;
    }

    Answer answer(ResourceStore store, RequestInfo info, Query query, ApiRequest request) {
        ServedResource.Subresource subresource = store.resource().subresource(info.subresource());
        if (subresource == null) {
            throw ApiFailure.noSuchPath();
        }
        return switch (subresource.name()) {
            case "status" -> part(store, info, query, request, RestStrategy.Part.STATUS);
            case "finalize" -> part(store, info, query, request, RestStrategy.Part.FINALIZE);
            default -> throw ApiFailure.methodNotAllowed();
        };
    }

    private Answer part(
            ResourceStore store, RequestInfo info, Query query, ApiRequest request, RestStrategy.Part part) {
        return switch (request.method()) {
            case "GET" -> Answer.Document.of(200, require(store, info));
            case "PUT" -> {
                JsonObject body = readNamed(store, info, ApiHandler.json(request));
                yield Answer.Document.of(
                        200,
                        updater.update(store, info.namespace(), info.name(), part, current -> body, query.dryRun()));
            }
            default -> throw ApiFailure.methodNotAllowed();
        };
    }

    /** Returns the object that the path names, or refuses with 404. */
    StoredObject require(ResourceStore store, RequestInfo info) {
        String key = store.key(info.namespace(), info.name());
        return store.require(backend.storage().snapshot().get(store.bucket(), key), info.name());
    }

    /**
     * Reads the object of an update.
     *
     * @throws ApiFailure 400 if it is not the one that the path names
     */
    JsonObject readNamed(ResourceStore store, RequestInfo info, byte[] bytes) {
        JsonObject body = IncomingObject.read(store.resource().type(), bytes);
        String name = Meta.name(body);
        if (name.isEmpty()) {
            throw ApiFailure.badRequest("the name of the object (" + info.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        if (!name.equals(info.name())) {
            throw ApiFailure.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + info.name() + ")");
        }
        String namespace = Meta.namespace(body);
        if (!namespace.isEmpty() && !namespace.equals(info.namespace())) {
            throw ApiFailure.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        return body;
    }

    static JsonObject success(int code, JsonObject details) {
        JsonObject status = JsonObject.EMPTY
                .with("kind", "Status")
                .with("apiVersion", "v1")
                .with("metadata", JsonObject.EMPTY)
                .with("status", "Success");
        return details.isEmpty() ? status.with("code", code) : status.with("details", details);
    }
}
