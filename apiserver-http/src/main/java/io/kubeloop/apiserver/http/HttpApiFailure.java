package io.kubeloop.apiserver.http;

import io.kubeloop.api.StatusReason;
import io.kubeloop.json.tree.JsonObject;

/** A request that the HTTP front end rejects. The handler returns it as a {@code Status}. */
final class HttpApiFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;

    private HttpApiFailure(int code, String reason, String message) {
        super(message);
        this.code = code;
        this.reason = reason;
    }

    static HttpApiFailure badRequest(String message) {
        return new HttpApiFailure(400, StatusReason.BAD_REQUEST, message);
    }

    /** With upstream's message, which clients recognize. */
    static HttpApiFailure unauthorized() {
        return new HttpApiFailure(401, StatusReason.UNAUTHORIZED, "Unauthorized");
    }

    static HttpApiFailure forbidden(String message) {
        return new HttpApiFailure(403, StatusReason.FORBIDDEN, message);
    }

    static HttpApiFailure notFound(String path) {
        return new HttpApiFailure(
                404,
                StatusReason.NOT_FOUND,
                "the server could not find the requested resource: nothing is served at " + path);
    }

    static HttpApiFailure methodNotAllowed(String method, String path) {
        return new HttpApiFailure(
                405, StatusReason.METHOD_NOT_ALLOWED, "the server does not allow " + method + " on " + path);
    }

    static HttpApiFailure notAcceptable(String accept, String served) {
        return new HttpApiFailure(
                406,
                StatusReason.NOT_ACCEPTABLE,
                "only the following media types are accepted: " + served + "; the request accepts " + accept);
    }

    static HttpApiFailure tooLarge(int limit) {
        return new HttpApiFailure(
                413, StatusReason.REQUEST_ENTITY_TOO_LARGE, "Request entity too large: limit is " + limit);
    }

    static HttpApiFailure unsupportedMediaType(String contentType, String served) {
        return new HttpApiFailure(
                415,
                StatusReason.UNSUPPORTED_MEDIA_TYPE,
                "the body of the request was in an unknown format: " + contentType + "; accepted media types include: "
                        + served);
    }

    static HttpApiFailure internal(String message) {
        return new HttpApiFailure(500, StatusReason.INTERNAL_ERROR, message);
    }

    static HttpApiFailure notImplemented(String what) {
        return new HttpApiFailure(501, "NotImplemented", what);
    }

    static HttpApiFailure unavailable(String message) {
        return new HttpApiFailure(503, StatusReason.SERVICE_UNAVAILABLE, message);
    }

    int code() {
        return code;
    }

    JsonObject toStatus() {
        return JsonObject.builder()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("metadata", JsonObject.EMPTY)
                .put("status", "Failure")
                .put("message", String.valueOf(getMessage()))
                .put("reason", reason)
                .put("code", code)
                .build();
    }
}
