package io.kubeloop.api;

import java.util.Set;

/** The reasons of a {@link Status} that programs act on (upstream: {@code metav1.StatusReason}). */
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
    /** 400: the request makes no sense. */
    public static final String BAD_REQUEST = "BadRequest";
    /** 405: the verb is not served here. */
    public static final String METHOD_NOT_ALLOWED = "MethodNotAllowed";
    /** 406: none of the accepted formats is served. */
    public static final String NOT_ACCEPTABLE = "NotAcceptable";
    /** 413: the body is too large. */
    public static final String REQUEST_ENTITY_TOO_LARGE = "RequestEntityTooLarge";
    /** 415: the body's format is not served. */
    public static final String UNSUPPORTED_MEDIA_TYPE = "UnsupportedMediaType";
    /** 429: slow down. */
    public static final String TOO_MANY_REQUESTS = "TooManyRequests";
    /** 500: the server failed. */
    public static final String INTERNAL_ERROR = "InternalError";
    /** 500: an object in the server's storage cannot be read. */
    public static final String STORE_READ_ERROR = "StoreReadError";
    /** 500: the operation could not be completed at this time; trying again may help. */
    public static final String SERVER_TIMEOUT = "ServerTimeout";
    /** 503: not now. */
    public static final String SERVICE_UNAVAILABLE = "ServiceUnavailable";
    /** 504: the request took too long. */
    public static final String TIMEOUT = "Timeout";

    /** Not a status's reason but a cause's: the answer was no {@code Status}, so that the code is all that is known. */
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

    /** Returns whether it is one of these. Of any other only the code tells what it means. */
    public static boolean isKnown(String reason) {
        return KNOWN.contains(reason);
    }
}
