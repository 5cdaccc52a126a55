package io.kubeloop.transport.memory.http;

import io.kubeloop.api.StatusReason;
import io.kubeloop.json.tree.JsonObject;

/** A request that the face itself refuses. Becomes a {@code Status}. */
final class FaceFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;

    private FaceFailure(int code, String reason, String message) {
        super(message);
        this.code = code;
        this.reason = reason;
    }

    static FaceFailure badRequest(String message) {
        return new FaceFailure(400, StatusReason.BAD_REQUEST, message);
    }

    /** In upstream's words, which clients know. */
    static FaceFailure unauthorized() {
        return new FaceFailure(401, StatusReason.UNAUTHORIZED, "Unauthorized");
    }

    static FaceFailure forbidden(String message) {
        return new FaceFailure(403, StatusReason.FORBIDDEN, message);
    }

    static FaceFailure notFound(String path) {
        return new FaceFailure(
                404,
                StatusReason.NOT_FOUND,
                "the server could not find the requested resource: nothing is served at " + path);
    }

    static FaceFailure methodNotAllowed(String method, String path) {
        return new FaceFailure(
                405, StatusReason.METHOD_NOT_ALLOWED, "the server does not allow " + method + " on " + path);
    }

    static FaceFailure notAcceptable(String accept, String served) {
        return new FaceFailure(
                406,
                StatusReason.NOT_ACCEPTABLE,
                "only the following media types are accepted: " + served + "; the request asks for " + accept);
    }

    static FaceFailure tooLarge(int limit) {
        return new FaceFailure(
                413, StatusReason.REQUEST_ENTITY_TOO_LARGE, "Request entity too large: limit is " + limit);
    }

    static FaceFailure unsupportedMediaType(String contentType, String served) {
        return new FaceFailure(
                415,
                StatusReason.UNSUPPORTED_MEDIA_TYPE,
                "the body of the request was in an unknown format: " + contentType + "; accepted media types include: "
                        + served);
    }

    static FaceFailure internal(String message) {
        return new FaceFailure(500, StatusReason.INTERNAL_ERROR, message);
    }

    static FaceFailure notImplemented(String what) {
        return new FaceFailure(501, "NotImplemented", what);
    }

    static FaceFailure unavailable(String message) {
        return new FaceFailure(503, StatusReason.SERVICE_UNAVAILABLE, message);
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
