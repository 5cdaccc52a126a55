package io.kubeloop.transport.memory.machinery;

import io.kubeloop.api.StatusReason;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.transport.memory.storage.ExpiredException;
import org.jspecify.annotations.Nullable;

/**
 * A request is refused, with the {@code Status} that says why (upstream: {@code apimachinery/pkg/api/errors}).
 *
 * <p>Thrown on the caller's thread and turned into an answer by {@code ApiHandler}; never leaves the server.
 */
public final class ApiFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final String MODIFIED =
            "the object has been modified; please apply your changes to the latest version and try again";

    private final int code;

    @SuppressWarnings("serial") // the exception is thrown, not sent
    private final JsonObject status;

    private ApiFailure(int code, String reason, String message, JsonObject metadata, @Nullable JsonObject details) {
        super(message, null, false, false); // an answer, not a fault: no stack trace
        this.code = code;
        JsonObject.Builder body = JsonObject.builder()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("metadata", metadata)
                .put("status", "Failure")
                .put("message", message);
        if (!reason.isEmpty()) {
            body.put("reason", reason);
        }
        if (details != null) {
            body.put("details", details);
        }
        this.status = body.put("code", code).build();
    }

    private ApiFailure(int code, String reason, String message, @Nullable JsonObject details) {
        this(code, reason, message, JsonObject.EMPTY, details);
    }

    /** Returns the HTTP status code. */
    public int code() {
        return code;
    }

    /** Returns the {@code Status} object. */
    public JsonObject status() {
        return status;
    }

    /** Returns the seconds after which to try again, 0 if the status does not say. */
    public long retryAfterSeconds() {
        Long seconds = status.number("details", "retryAfterSeconds");
        return seconds == null ? 0 : seconds;
    }

    /** Returns whether the object is not there. */
    public boolean isNotFound() {
        return status.string("reason").equals(StatusReason.NOT_FOUND);
    }

    /** Returns whether the name is taken. */
    public boolean isAlreadyExists() {
        return status.string("reason").equals(StatusReason.ALREADY_EXISTS);
    }

    /** Returns whether the object has changed meanwhile. */
    public boolean isConflict() {
        return status.string("reason").equals(StatusReason.CONFLICT);
    }

    /** 404: the path leads nowhere. */
    public static ApiFailure noSuchPath() {
        return new ApiFailure(
                404, StatusReason.NOT_FOUND, "the server could not find the requested resource", JsonObject.EMPTY);
    }

    /** 404: no such object. */
    public static ApiFailure notFound(ServedResource resource, String name) {
        return new ApiFailure(
                404, StatusReason.NOT_FOUND, named(resource, name) + " not found", details(resource, name));
    }

    /** 409: the name is taken. */
    public static ApiFailure alreadyExists(ServedResource resource, String name, boolean beingDeleted) {
        String message = named(resource, name) + " already exists";
        return new ApiFailure(
                409,
                StatusReason.ALREADY_EXISTS,
                beingDeleted ? "object is being deleted: " + message : message,
                details(resource, name));
    }

    /** 409: somebody was faster. */
    public static ApiFailure modified(ServedResource resource, String name) {
        return conflict(resource, name, MODIFIED);
    }

    /** 409: a precondition does not hold. It names the kind where other conflicts name the resource, as upstream. */
    public static ApiFailure preconditionFailed(ServedResource resource, String name, String why) {
        String group = resource.type().group();
        String kind = resource.type().kind();
        JsonObject details = JsonObject.builder()
                .put("name", name)
                .put("group", group)
                .put("kind", kind)
                .build();
        return new ApiFailure(
                409,
                StatusReason.CONFLICT,
                "Operation cannot be fulfilled on " + (group.isEmpty() ? kind : kind + "." + group) + " \"" + name
                        + "\": " + why,
                withoutEmpty(details));
    }

    /** 409: the state of an object stands in the way of what is done through a subresource. */
    public static ApiFailure conflict(ServedResource resource, String subresource, String name, String why) {
        String path = resource + "/" + subresource;
        return new ApiFailure(
                409,
                StatusReason.CONFLICT,
                "Operation cannot be fulfilled on " + path + " \"" + name + "\": " + why,
                details(resource, name).with("kind", path));
    }

    /** 500: a fault of the client's for which upstream has no better answer. */
    public static ApiFailure unclassified(String message) {
        return new ApiFailure(500, "", message, null);
    }

    /** 409: the object's state stands in the way. */
    public static ApiFailure conflict(ServedResource resource, String name, String why) {
        return new ApiFailure(
                409,
                StatusReason.CONFLICT,
                "Operation cannot be fulfilled on " + named(resource, name) + ": " + why,
                details(resource, name));
    }

    /** 403: refused by a rule of the server. */
    public static ApiFailure forbidden(ServedResource resource, String name, String why) {
        return new ApiFailure(
                403, StatusReason.FORBIDDEN, named(resource, name) + " is forbidden: " + why, details(resource, name));
    }

    /** 403: the namespace takes in nothing more. */
    public static ApiFailure namespaceTerminating(ServedResource resource, String name, String namespace) {
        JsonObject cause =
                cause("NamespaceTerminating", "namespace " + namespace + " is being terminated", "metadata.namespace");
        return new ApiFailure(
                403,
                StatusReason.FORBIDDEN,
                named(resource, name) + " is forbidden: unable to create new content in namespace " + namespace
                        + " because it is being terminated",
                details(resource, name).with("causes", JsonArray.of(cause)));
    }

    /** 422: the object breaks these rules. */
    public static ApiFailure invalid(String group, String kind, String name, FieldErrors errors) {
        String qualified = group.isEmpty() ? kind : kind + "." + group;
        JsonObject details = JsonObject.builder()
                .put("name", name)
                .put("group", group)
                .put("kind", kind)
                .put("causes", errors.causes())
                .build();
        return new ApiFailure(
                422,
                StatusReason.INVALID,
                qualified + " \"" + name + "\" is invalid: " + errors.message(),
                withoutEmpty(details));
    }

    /** 400: the request makes no sense. */
    public static ApiFailure badRequest(String message) {
        return new ApiFailure(400, StatusReason.BAD_REQUEST, message, null);
    }

    /** 422: the patch does not fit the object. */
    public static ApiFailure unprocessable(String message) {
        return new ApiFailure(422, StatusReason.INVALID, message, null);
    }

    /** 413: the request asks for more than the server does at once. */
    public static ApiFailure tooLarge(String message) {
        return new ApiFailure(413, StatusReason.REQUEST_ENTITY_TOO_LARGE, message, null);
    }

    /** 405: the verb is not served here. */
    public static ApiFailure methodNotAllowed() {
        return new ApiFailure(
                405,
                StatusReason.METHOD_NOT_ALLOWED,
                "the server does not allow this method on the requested resource",
                JsonObject.EMPTY);
    }

    /** 406: none of the formats asked for is served. */
    public static ApiFailure notAcceptable(String served) {
        return new ApiFailure(
                406,
                StatusReason.NOT_ACCEPTABLE,
                "only the following media types are accepted: " + served,
                JsonObject.EMPTY);
    }

    /** 415: the body is in a format that is not read here. */
    public static ApiFailure unsupportedMediaType(String read) {
        return new ApiFailure(
                415,
                StatusReason.UNSUPPORTED_MEDIA_TYPE,
                "the body of the request was in an unknown format - accepted media types include: " + read,
                JsonObject.EMPTY);
    }

    /** 410: that history has been forgotten. */
    public static ApiFailure expired(ExpiredException e) {
        return expired(String.valueOf(e.getMessage()));
    }

    /** 410: that history has been forgotten. */
    public static ApiFailure expired(String message) {
        return new ApiFailure(410, StatusReason.EXPIRED, message, null);
    }

    /** 410: the pages can no longer show one state; the token goes on with a later one. */
    public static ApiFailure expiredContinue(String inconsistentToken) {
        return new ApiFailure(
                410,
                StatusReason.EXPIRED,
                "The provided continue parameter is too old to display a consistent list result. You can start a new list"
                        + " without the continue parameter, or use the continue token in this response to retrieve the"
                        + " remainder of the list. Continuing with the provided token results in an inconsistent list -"
                        + " objects that were created, modified, or deleted between the time the first chunk was"
                        + " returned and now may show up in the list.",
                JsonObject.of("continue", new JsonString(inconsistentToken)),
                null);
    }

    /** 504: nobody has written that version yet. */
    public static ApiFailure tooLargeResourceVersion(long requested, long current) {
        JsonObject cause = JsonObject.builder()
                .put("reason", "ResourceVersionTooLarge")
                .put("message", "Too large resource version")
                .build();
        return new ApiFailure(
                504,
                StatusReason.TIMEOUT,
                "Timeout: Too large resource version: " + requested + ", current: " + current,
                JsonObject.builder()
                        .put("causes", JsonArray.of(cause))
                        .put("retryAfterSeconds", 1)
                        .build());
    }

    /** 500: the server has a fault. */
    public static ApiFailure internal(String message) {
        return new ApiFailure(500, StatusReason.INTERNAL_ERROR, message, null);
    }

    /** 500: what the request needs cannot be had. */
    public static ApiFailure internalError(String problem) {
        JsonObject details = JsonObject.of("causes", JsonArray.of(JsonObject.EMPTY.with("message", problem)));
        return new ApiFailure(500, StatusReason.INTERNAL_ERROR, "Internal error occurred: " + problem, details);
    }

    /** 503: the server is going down. */
    static ApiFailure closed() {
        return new ApiFailure(503, StatusReason.SERVICE_UNAVAILABLE, "the server is shutting down", null);
    }

    static JsonObject cause(String reason, String message, String field) {
        return JsonObject.builder()
                .put("reason", reason)
                .put("message", message)
                .put("field", field)
                .build();
    }

    private static String named(ServedResource resource, String name) {
        return resource + " \"" + name + "\"";
    }

    /** The details that name an object by its resource. */
    public static JsonObject details(ServedResource resource, String name) {
        return withoutEmpty(JsonObject.builder()
                .put("name", name)
                .put("group", resource.type().group())
                .put("kind", resource.type().plural())
                .build());
    }

    private static JsonObject withoutEmpty(JsonObject details) {
        JsonObject kept = details;
        for (String name : details.members().keySet()) {
            if (details.get(name) instanceof JsonString && details.string(name).isEmpty()) {
                kept = kept.without(name);
            }
        }
        return kept;
    }
}
