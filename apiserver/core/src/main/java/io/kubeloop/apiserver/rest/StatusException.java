/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

import io.kubeloop.api.StatusReason;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.storage.ExpiredException;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import org.jspecify.annotations.Nullable;

/**
 * A rejected request, with the {@code Status} object that describes the reason (upstream: {@code
 * apimachinery/pkg/api/errors}).
 *
 * <p>Thrown on the caller's thread. {@code ApiHandler} converts it into a response, so it never leaves the
 * server.
 */
public final class StatusException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final String MODIFIED =
            "the object has been modified; please apply your changes to the latest version and try again";

    private final int code;

    @SuppressWarnings("serial") // the exception is never serialized
    private final JsonObject status;

    private StatusException(
            int code, String reason, String message, JsonObject metadata, @Nullable JsonObject details) {
        super(message, null, false, false); // a regular response, not a defect: no stack trace
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

    private StatusException(int code, String reason, String message, @Nullable JsonObject details) {
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

    /** Returns the seconds after which the client may retry; 0 if the status has no such hint. */
    public long retryAfterSeconds() {
        Long seconds = status.number("details", "retryAfterSeconds");
        return seconds == null ? 0 : seconds;
    }

    /** Returns whether the object does not exist. */
    public boolean isNotFound() {
        return status.string("reason").equals(StatusReason.NOT_FOUND);
    }

    /** Returns whether an object of the same name exists. */
    public boolean isAlreadyExists() {
        return status.string("reason").equals(StatusReason.ALREADY_EXISTS);
    }

    /** Returns whether the object has changed since the client read it. */
    public boolean isConflict() {
        return status.string("reason").equals(StatusReason.CONFLICT);
    }

    /** 404: no resource is served at the path. */
    public static StatusException noSuchPath() {
        return new StatusException(
                404, StatusReason.NOT_FOUND, "the server could not find the requested resource", JsonObject.EMPTY);
    }

    /** 404: the object does not exist. */
    public static StatusException notFound(ServedResource resource, String name) {
        return new StatusException(
                404, StatusReason.NOT_FOUND, named(resource, name) + " not found", details(resource, name));
    }

    /** 409: an object of the same name exists. */
    public static StatusException alreadyExists(ServedResource resource, String name, boolean beingDeleted) {
        String message = named(resource, name) + " already exists";
        return new StatusException(
                409,
                StatusReason.ALREADY_EXISTS,
                beingDeleted ? "object is being deleted: " + message : message,
                details(resource, name));
    }

    /** 409: another client has changed the object. */
    public static StatusException modified(ServedResource resource, String name) {
        return conflict(resource, name, MODIFIED);
    }

    /**
     * 409: a precondition does not hold. As upstream, the details name the kind; those of other conflicts name the
     * resource.
     */
    public static StatusException preconditionFailed(ServedResource resource, String name, String why) {
        return preconditionFailed(resource.type().group(), resource.type().kind(), name, why);
    }

    /** 409: a precondition does not hold for an object of this kind. */
    public static StatusException preconditionFailed(String group, String kind, String name, String why) {
        JsonObject details = JsonObject.builder()
                .put("name", name)
                .put("group", group)
                .put("kind", kind)
                .build();
        return new StatusException(
                409,
                StatusReason.CONFLICT,
                "Operation cannot be fulfilled on " + (group.isEmpty() ? kind : kind + "." + group) + " \"" + name
                        + "\": " + why,
                withoutEmpty(details));
    }

    /** 409: the state of the object does not allow the operation of a subresource. */
    public static StatusException conflict(ServedResource resource, String subresource, String name, String why) {
        String path = resource + "/" + subresource;
        return new StatusException(
                409,
                StatusReason.CONFLICT,
                "Operation cannot be fulfilled on " + path + " \"" + name + "\": " + why,
                details(resource, name).with("kind", path));
    }

    /** 500: a client error for which upstream has no specific status. */
    public static StatusException unclassified(String message) {
        return new StatusException(500, "", message, null);
    }

    /** 409: the state of the object does not allow the operation. */
    public static StatusException conflict(ServedResource resource, String name, String why) {
        return new StatusException(
                409,
                StatusReason.CONFLICT,
                "Operation cannot be fulfilled on " + named(resource, name) + ": " + why,
                details(resource, name));
    }

    /**
     * 409: other managers own fields that an apply changes.
     *
     * @param causes the conflicts, by field
     */
    public static StatusException applyConflict(String message, JsonArray causes) {
        return new StatusException(409, StatusReason.CONFLICT, message, JsonObject.of("causes", causes));
    }

    /** 403: a rule of the server forbids the operation. */
    public static StatusException forbidden(ServedResource resource, String name, String why) {
        return forbidden(resource, name, why, details(resource, name));
    }

    /** 403: a rule of the server, which the cause names, forbids the operation. */
    public static StatusException forbiddenFor(ServedResource resource, String name, String why, JsonObject cause) {
        return forbidden(resource, name, why, details(resource, name).with("causes", JsonArray.of(cause)));
    }

    private static StatusException forbidden(ServedResource resource, String name, String why, JsonObject details) {
        return new StatusException(
                403, StatusReason.FORBIDDEN, named(resource, name) + " is forbidden: " + why, details);
    }

    /**
     * 403: a user lacks the permission for a request.
     *
     * @param group the API group of the resource; empty for the core group
     * @param resource the resource; empty if the request is not about one
     * @param name the name of the object; empty if the request names none
     * @param why the request that the user may not send
     */
    public static StatusException accessDenied(String group, String resource, String name, String why) {
        String qualified = group.isEmpty() ? resource : resource + "." + group;
        String subject = qualified.isEmpty()
                ? "forbidden"
                : qualified + (name.isEmpty() ? "" : " " + GoText.quoted(name)) + " is forbidden";
        JsonObject details = JsonObject.builder()
                .put("name", name)
                .put("group", group)
                .put("kind", resource)
                .build();
        return new StatusException(403, StatusReason.FORBIDDEN, subject + ": " + why, withoutEmpty(details));
    }

    /** 403: nothing may be created in a terminating namespace. */
    public static StatusException namespaceTerminating(ServedResource resource, String name, String namespace) {
        JsonObject cause =
                cause("NamespaceTerminating", "namespace " + namespace + " is being terminated", "metadata.namespace");
        return forbiddenFor(
                resource,
                name,
                "unable to create new content in namespace " + namespace + " because it is being terminated",
                cause);
    }

    /** 422: the object is invalid; the errors list the fields. */
    public static StatusException invalid(String group, String kind, String name, FieldErrors errors) {
        String qualified = group.isEmpty() ? kind : kind + "." + group;
        JsonObject details = JsonObject.builder()
                .put("name", name)
                .put("group", group)
                .put("kind", kind)
                .put(
                        "causes",
                        JsonArray.of(errors.list().stream()
                                .map(error -> cause(error.reason(), error.body(), error.field()))
                                .toList()))
                .build();
        return new StatusException(
                422,
                StatusReason.INVALID,
                qualified + " \"" + name + "\" is invalid: " + errors.message(),
                withoutEmpty(details));
    }

    /** 400: the request is malformed. */
    public static StatusException badRequest(String message) {
        return new StatusException(400, StatusReason.BAD_REQUEST, message, null);
    }

    /** 422: the patch cannot be applied to the object. As upstream, the message does not contain the reason. */
    public static StatusException unprocessable() {
        return new StatusException(
                422,
                StatusReason.INVALID,
                "the server rejected our request due to an error in our request",
                JsonObject.EMPTY);
    }

    /** 413: the request exceeds a limit of the server. */
    public static StatusException tooLarge(String message) {
        return new StatusException(413, StatusReason.REQUEST_ENTITY_TOO_LARGE, message, null);
    }

    /** Returns the error of a request that may succeed after some seconds. */
    public static StatusException tooManyRequests(String message, int seconds) {
        return new StatusException(
                429, StatusReason.TOO_MANY_REQUESTS, message, JsonObject.EMPTY.with("retryAfterSeconds", seconds));
    }

    /**
     * 429: the operation may be possible later.
     *
     * @param seconds after how many seconds the client may retry; 0 for no hint
     * @param cause the type and the message of the cause
     */
    public static StatusException tooManyRequests(String message, int seconds, JsonObject cause) {
        JsonObject details = JsonObject.of("causes", JsonArray.of(cause));
        return new StatusException(
                429,
                StatusReason.TOO_MANY_REQUESTS,
                message,
                seconds == 0 ? details : details.with("retryAfterSeconds", seconds));
    }

    /**
     * A rejection by an admission webhook.
     *
     * @param details the details that the webhook has sent; null for none
     */
    public static StatusException denied(int code, String reason, String message, @Nullable JsonObject details) {
        return new StatusException(code, reason, message, details);
    }

    /** A rejection without details. */
    public static StatusException of(int code, String reason, String message) {
        return new StatusException(code, reason, message, null);
    }

    /** A rejection by the routes of the server; as upstream, its message starts with the code. */
    public static StatusException route(int code, String reason, String message) {
        return new StatusException(code, reason, code + ": " + message, JsonObject.EMPTY);
    }

    /** Returns the failure that a response of this server describes. */
    public static StatusException of(JsonObject status) {
        Long code = status.number("code");
        return new StatusException(
                code == null ? 500 : Math.toIntExact(code),
                status.string("reason"),
                status.string("message"),
                status.object("metadata"),
                status.has("details") ? status.object("details") : null);
    }

    /**
     * A failure of another server behind this one, which has sent no status.
     *
     * @param resource the resource with its subresource
     * @param text the text of the failure
     */
    public static StatusException ofBackend(int code, String resource, String name, String text) {
        String reason = code == 404
                ? StatusReason.NOT_FOUND
                : code == 401 ? "Unauthorized" : code == 403 ? StatusReason.FORBIDDEN : StatusReason.INTERNAL_ERROR;
        String what = switch (code) {
            case 401 -> "the server has asked for the client to provide credentials";
            case 403 -> text;
            case 404 -> "the server could not find the requested resource";
            case 503 -> "the server is currently unable to handle the request";
            default -> "an error on the server (" + GoText.quoted(text) + ") has prevented the request from succeeding";
        };
        JsonObject details = JsonObject.EMPTY.with("name", name).with("kind", resource);
        return new StatusException(
                code,
                code == 503 ? StatusReason.SERVICE_UNAVAILABLE : reason,
                what + " ( " + resource + " " + name + ")",
                details);
    }

    /** 405: the path does not support the verb. */
    public static StatusException methodNotAllowed() {
        return new StatusException(
                405,
                StatusReason.METHOD_NOT_ALLOWED,
                "the server does not allow this method on the requested resource",
                JsonObject.EMPTY);
    }

    /** 405: a part of a custom resource does not support the verb. */
    public static StatusException notSupported(ServedResource resource, String verb) {
        return new StatusException(
                405,
                StatusReason.METHOD_NOT_ALLOWED,
                verb + " is not supported on resources of kind \"" + resource + "\"",
                details(resource, ""));
    }

    /** 406: none of the accepted formats is served. */
    public static StatusException notAcceptable(String served) {
        return new StatusException(
                406, StatusReason.NOT_ACCEPTABLE, "only the following media types are accepted: " + served, null);
    }

    /** 415: the server does not read the format of the body. */
    public static StatusException unsupportedMediaType(String read) {
        return new StatusException(
                415,
                StatusReason.UNSUPPORTED_MEDIA_TYPE,
                "the body of the request was in an unknown format - accepted media types include: " + read,
                null);
    }

    /** 410: the requested history has been discarded. */
    public static StatusException expired(ExpiredException e) {
        return expired(String.valueOf(e.getMessage()));
    }

    /** 410: the requested history has been discarded. */
    public static StatusException expired(String message) {
        return new StatusException(410, StatusReason.EXPIRED, message, null);
    }

    /**
     * 410: the remaining pages can no longer show the version of the first page; the given token continues at a
     * later version.
     */
    public static StatusException expiredContinue(String inconsistentToken) {
        return new StatusException(
                410,
                StatusReason.EXPIRED,
                "The provided continue parameter is too old to display a consistent list result. You can start a new "
                        + "list without the continue parameter, or use the continue token in this response to retrieve "
                        + "the remainder of the results. Continuing with the provided token results in an inconsistent "
                        + "list - objects that were created, modified, or deleted between the time the first chunk was "
                        + "returned and now may show up in the list.",
                JsonObject.of("continue", new JsonString(inconsistentToken)),
                null);
    }

    /** 504: the requested resource version has not been written yet. */
    public static StatusException tooLargeResourceVersion(long requested, long current) {
        JsonObject cause = JsonObject.builder()
                .put("reason", "ResourceVersionTooLarge")
                .put("message", "Too large resource version")
                .build();
        return new StatusException(
                504,
                StatusReason.TIMEOUT,
                "Timeout: Too large resource version: " + requested + ", current: " + current,
                JsonObject.builder()
                        .put("causes", JsonArray.of(cause))
                        .put("retryAfterSeconds", 1)
                        .build());
    }

    /** 500: a defect of the server. */
    public static StatusException internal(String message) {
        return new StatusException(500, StatusReason.INTERNAL_ERROR, message, null);
    }

    /** 500: a resource that the request needs, such as an address, is not available. */
    public static StatusException internalError(String problem) {
        JsonObject details = JsonObject.of("causes", JsonArray.of(JsonObject.EMPTY.with("message", problem)));
        return new StatusException(500, StatusReason.INTERNAL_ERROR, "Internal error occurred: " + problem, details);
    }

    /** 503: the server is shutting down. */
    static StatusException closed() {
        return new StatusException(503, StatusReason.SERVICE_UNAVAILABLE, "the server is shutting down", null);
    }

    /** Returns an entry of {@code details.causes}. */
    public static JsonObject cause(String reason, String message, String field) {
        return JsonObject.builder()
                .put("reason", reason)
                .put("message", message)
                .put("field", field)
                .build();
    }

    private static String named(ServedResource resource, String name) {
        return resource + " " + GoText.quoted(name);
    }

    /** Returns the {@code details} that name an object by its resource. */
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
