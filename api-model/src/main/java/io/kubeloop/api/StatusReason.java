/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.util.Set;

/** The reasons of a {@link Status} (upstream: {@code metav1.StatusReason}). */
public final class StatusReason {

    /** 401: no or bad credentials. */
    public static final String UNAUTHORIZED = "Unauthorized";
    /** 403: not allowed. */
    public static final String FORBIDDEN = "Forbidden";
    /** 404: no such object or resource. */
    public static final String NOT_FOUND = "NotFound";
    /** 409: an object of this name exists. */
    public static final String ALREADY_EXISTS = "AlreadyExists";
    /** 409: the object changed since it was read. */
    public static final String CONFLICT = "Conflict";
    /** 410: the object is gone. */
    public static final String GONE = "Gone";
    /** 410: the resource version is too old. */
    public static final String EXPIRED = "Expired";
    /** 422: the object is invalid. */
    public static final String INVALID = "Invalid";
    /** 400: the request is malformed. */
    public static final String BAD_REQUEST = "BadRequest";
    /** 405: the resource does not support the verb. */
    public static final String METHOD_NOT_ALLOWED = "MethodNotAllowed";
    /** 406: the server supports none of the accepted formats. */
    public static final String NOT_ACCEPTABLE = "NotAcceptable";
    /** 413: the body is too large. */
    public static final String REQUEST_ENTITY_TOO_LARGE = "RequestEntityTooLarge";
    /** 415: the server does not support the body's format. */
    public static final String UNSUPPORTED_MEDIA_TYPE = "UnsupportedMediaType";
    /** 429: the client must send fewer requests. */
    public static final String TOO_MANY_REQUESTS = "TooManyRequests";
    /** 500: the server failed. */
    public static final String INTERNAL_ERROR = "InternalError";
    /** 500: an object in the server's storage cannot be read. */
    public static final String STORE_READ_ERROR = "StoreReadError";
    /** 500: the operation could not be completed now; another attempt may succeed. */
    public static final String SERVER_TIMEOUT = "ServerTimeout";
    /** 503: the server is temporarily unavailable. */
    public static final String SERVICE_UNAVAILABLE = "ServiceUnavailable";
    /** 504: the request took too long. */
    public static final String TIMEOUT = "Timeout";

    /** The reason of a cause, not of a status: the response was not a {@code Status}, so only its code is known. */
    public static final String UNEXPECTED_SERVER_RESPONSE = "UnexpectedServerResponse";

    private static final Set<String> KNOWN = Set.of(
            UNAUTHORIZED,
            FORBIDDEN,
            NOT_FOUND,
            ALREADY_EXISTS,
            CONFLICT,
            GONE,
            EXPIRED,
            INVALID,
            BAD_REQUEST,
            METHOD_NOT_ALLOWED,
            NOT_ACCEPTABLE,
            REQUEST_ENTITY_TOO_LARGE,
            UNSUPPORTED_MEDIA_TYPE,
            TOO_MANY_REQUESTS,
            INTERNAL_ERROR,
            STORE_READ_ERROR,
            SERVER_TIMEOUT,
            SERVICE_UNAVAILABLE,
            TIMEOUT);

    private StatusReason() {}

    /**
     * Returns whether the reason is a constant of this class. For other reasons, only the HTTP status code has a
     * defined meaning.
     */
    public static boolean isKnown(String reason) {
        return KNOWN.contains(reason);
    }
}
