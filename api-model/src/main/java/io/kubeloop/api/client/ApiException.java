package io.kubeloop.api.client;

import io.kubeloop.api.Status;
import io.kubeloop.api.StatusReason;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The server answered, and the answer was no. Carries the server's {@link Status}; the predicates are those of
 * apimachinery's {@code api/errors}.
 */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // the exception is thrown, not sent
    private final Status status;

    private final @Nullable Duration retryAfter;
    private final String auditId;

    /**
     * Makes an exception.
     *
     * @param attempted what was asked, such as {@code GET /api/v1/pods}
     * @param status what came back
     * @param retryAfter from the header or the status details; null if the server did not say
     */
    public ApiException(String attempted, Status status, @Nullable Duration retryAfter) {
        this(attempted, status, retryAfter, "");
    }

    /**
     * Makes an exception that can be found in the server's audit log.
     *
     * @param auditId from the answer's {@code Audit-Id} header; empty if there is none
     */
    public ApiException(String attempted, Status status, @Nullable Duration retryAfter, String auditId) {
        super(message(attempted, status, auditId));
        this.status = Objects.requireNonNull(status, "status");
        this.retryAfter = retryAfter;
        this.auditId = auditId;
    }

    private static String message(String attempted, Status status, String auditId) {
        StringBuilder text = new StringBuilder(attempted).append(": ").append(status.code());
        if (!status.reason().isEmpty()) {
            text.append(' ').append(status.reason());
        }
        if (!status.message().isEmpty()) {
            text.append(": ").append(status.message());
        }
        if (!auditId.isEmpty()) {
            text.append(" (audit-id ").append(auditId).append(')');
        }
        return text.toString();
    }

    /** Returns what the server said. */
    public Status status() {
        return status;
    }

    /** Returns the HTTP status code. */
    public int code() {
        return status.code();
    }

    /** Returns how long the server asked to wait, or null. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** Returns by what the server's audit log knows the request; empty if the server did not say. */
    public String auditId() {
        return auditId;
    }

    /** Returns whether there is no such object or resource. */
    public boolean isNotFound() {
        return is(StatusReason.NOT_FOUND, 404);
    }

    /** Returns whether an object of this name exists already. */
    public boolean isAlreadyExists() {
        return status.reason().equals(StatusReason.ALREADY_EXISTS);
    }

    /** Returns whether the object changed since it was read, or another conflict stands in the way. */
    public boolean isConflict() {
        return is(StatusReason.CONFLICT, 409);
    }

    /** Returns whether the object is invalid. */
    public boolean isInvalid() {
        return is(StatusReason.INVALID, 422);
    }

    /** Returns whether the resource version is too old. */
    public boolean isExpired() {
        return status.reason().equals(StatusReason.EXPIRED);
    }

    /** Returns whether the object or version is gone for good; a watch that meets this, or an expiry, lists again. */
    public boolean isGone() {
        return is(StatusReason.GONE, 410);
    }

    /** Returns whether the server, or somebody before it, asks to slow down: code 429 says so whatever the reason (RR-05). */
    public boolean isTooManyRequests() {
        return status.code() == 429 || status.reason().equals(StatusReason.TOO_MANY_REQUESTS);
    }

    /** Returns whether credentials are missing or bad. */
    public boolean isUnauthorized() {
        return is(StatusReason.UNAUTHORIZED, 401);
    }

    /** Returns whether the caller may not do this. */
    public boolean isForbidden() {
        return is(StatusReason.FORBIDDEN, 403);
    }

    /** Returns whether the request's form was wrong. */
    public boolean isBadRequest() {
        return is(StatusReason.BAD_REQUEST, 400);
    }

    /** Returns whether the server failed. */
    public boolean isInternalError() {
        return is(StatusReason.INTERNAL_ERROR, 500);
    }

    /** Returns whether the request took the server too long. */
    public boolean isTimeout() {
        return is(StatusReason.TIMEOUT, 504);
    }

    /** Returns whether the server asked to try later because the operation cannot be completed now. */
    public boolean isServerTimeout() {
        return status.reason().equals(StatusReason.SERVER_TIMEOUT);
    }

    /** Returns whether a cause of this reason is among the details. */
    public boolean hasCause(String reason) {
        Status.Details details = status.details();
        return details != null
                && details.causes().stream().anyMatch(cause -> cause.reason().equals(reason));
    }

    /** A known reason decides; the code counts only if the server gave none, or one of its own making (RR-05). */
    private boolean is(String reason, int code) {
        return status.reason().equals(reason) || (status.code() == code && !StatusReason.isKnown(status.reason()));
    }
}
