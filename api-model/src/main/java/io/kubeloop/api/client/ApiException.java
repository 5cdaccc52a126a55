/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.Status;
import io.kubeloop.api.StatusReason;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The server rejected a request. The exception carries the server's {@link Status}. Its predicates are those of
 * apimachinery's {@code api/errors}.
 */
public final class ApiException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // the exception is not serialized
    private final Status status;

    private final @Nullable Duration retryAfter;
    private final String auditId;

    /**
     * Creates an exception.
     *
     * @param attempted the request, such as {@code GET /api/v1/pods}
     * @param status the server's response
     * @param retryAfter the time to wait, from the header or the status details; null if the server sent none
     */
    public ApiException(String attempted, Status status, @Nullable Duration retryAfter) {
        this(attempted, status, retryAfter, "");
    }

    /**
     * Creates an exception with the request's identifier in the server's audit log.
     *
     * @param auditId the response's {@code Audit-Id} header; empty if there is none
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
            text.append(": ").append(PrintableText.of(status.message()));
        }
        if (!auditId.isEmpty()) {
            text.append(" (audit-id ").append(auditId).append(')');
        }
        return text.toString();
    }

    /** Returns the server's status. */
    public Status status() {
        return status;
    }

    /** Returns the HTTP status code. */
    public int code() {
        return status.code();
    }

    /** Returns the time that the server requested the client to wait; null if it sent none. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** Returns the request's identifier in the server's audit log; empty if the server sent none. */
    public String auditId() {
        return auditId;
    }

    /** Returns whether the object or the resource does not exist. */
    public boolean isNotFound() {
        return is(StatusReason.NOT_FOUND, 404);
    }

    /** Returns whether an object of this name already exists. */
    public boolean isAlreadyExists() {
        return status.reason().equals(StatusReason.ALREADY_EXISTS);
    }

    /**
     * Returns whether the object changed since it was read, or the request conflicts with its state in another way.
     */
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

    /**
     * Returns whether the object or version no longer exists. After this, or after {@link #isExpired}, a watcher must
     * list again.
     */
    public boolean isGone() {
        return is(StatusReason.GONE, 410);
    }

    /**
     * Returns whether the server, or a proxy in front of it, limits the rate of requests. Code 429 is sufficient, with
     * any reason.
     */
    public boolean isTooManyRequests() {
        return status.code() == 429 || status.reason().equals(StatusReason.TOO_MANY_REQUESTS);
    }

    /** Returns whether credentials are missing or invalid. */
    public boolean isUnauthorized() {
        return is(StatusReason.UNAUTHORIZED, 401);
    }

    /** Returns whether the user has no permission for the request. */
    public boolean isForbidden() {
        return is(StatusReason.FORBIDDEN, 403);
    }

    /** Returns whether the request was malformed. */
    public boolean isBadRequest() {
        return is(StatusReason.BAD_REQUEST, 400);
    }

    /** Returns whether the server failed with an internal error. */
    public boolean isInternalError() {
        return is(StatusReason.INTERNAL_ERROR, 500);
    }

    /** Returns whether the request exceeded the server's time limit. */
    public boolean isTimeout() {
        return is(StatusReason.TIMEOUT, 504);
    }

    /** Returns whether the server cannot complete the operation now; the client may retry later. */
    public boolean isServerTimeout() {
        return status.reason().equals(StatusReason.SERVER_TIMEOUT);
    }

    /** Returns whether the status details contain a cause with this reason. */
    public boolean hasCause(String reason) {
        Status.Details details = status.details();
        return details != null
                && details.causes().stream().anyMatch(cause -> cause.reason().equals(reason));
    }

    /** A known reason decides. As in apimachinery, the code counts only if the reason is absent or unknown. */
    private boolean is(String reason, int code) {
        return status.reason().equals(reason) || (status.code() == code && !StatusReason.isKnown(status.reason()));
    }
}
