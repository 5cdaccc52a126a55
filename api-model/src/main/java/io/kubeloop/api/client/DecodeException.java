package io.kubeloop.api.client;

import org.jspecify.annotations.Nullable;

/** Bytes from the server, or a manifest, that are not what they should be. The message has the JSON path. */
public final class DecodeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception; the message says what was expected, where, and what was found. */
    public DecodeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
