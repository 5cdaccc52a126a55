/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * No complete response arrived from the server. If the server responded and rejected the request, an
 * {@link ApiException} is thrown instead.
 *
 * <p>The server may have executed the request, unless the kind is {@link Kind#CONNECT}.
 */
public final class TransportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The kinds of failure. Callers decide by the kind how to continue. */
    public enum Kind {
        /** No connection could be established. The request was not sent. */
        CONNECT,
        /** TLS failed because of the certificate, the host name or the handshake. Another attempt will fail, too. */
        TLS,
        /** The response did not arrive, or did not end, before the deadline. */
        TIMEOUT,
        /** The connection broke, or the server violated the protocol. */
        BROKEN,
        /** The stream ended inside a frame. */
        UNEXPECTED_EOF,
        /** A frame or body was larger than allowed. */
        TOO_LARGE,
        /** The transport or stream was closed by this program, or the thread was interrupted. */
        CLOSED,
        /** The request could not be prepared, because credentials or configuration are invalid. */
        CONFIGURATION
    }

    private final Kind kind;

    /** Creates an exception. The message must name the attempt, its target and the failure. */
    public TransportException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind, "kind");
    }

    /** Returns the kind of failure. */
    public Kind kind() {
        return kind;
    }
}
