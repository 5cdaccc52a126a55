package io.kubeloop.api.client;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * No (whole) answer came from the server. The opposite, an answer that says no, is an {@link ApiException}.
 *
 * <p>Whether the server has carried out the request is unknown unless the kind is {@link Kind#CONNECT}.
 */
public final class TransportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What went wrong, as far as it decides what to do next. */
    public enum Kind {
        /** No connection could be made: the request was not sent. */
        CONNECT,
        /** TLS failed: certificate, host name or handshake. Trying again will not help. */
        TLS,
        /** No answer, or no end of it, in time. */
        TIMEOUT,
        /** The connection broke, or the peer violated the protocol. */
        BROKEN,
        /** The stream ended inside a frame. */
        UNEXPECTED_EOF,
        /** A frame or body was larger than allowed. */
        TOO_LARGE,
        /** The transport or stream was closed on this side. */
        CLOSED,
        /** The request could not be prepared: credentials, configuration. */
        CONFIGURATION
    }

    private final Kind kind;

    /** Makes an exception; the message says what was attempted, against what, and what happened. */
    public TransportException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind, "kind");
    }

    /** Returns what went wrong. */
    public Kind kind() {
        return kind;
    }
}
