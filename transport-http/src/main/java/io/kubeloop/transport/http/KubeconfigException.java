package io.kubeloop.transport.http;

import org.jspecify.annotations.Nullable;

/** A configuration cannot be used. The message says which file, and what is wrong with it; it quotes no secret. */
public final class KubeconfigException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean empty;

    /** Makes an exception for a configuration that is there and cannot be used. */
    public KubeconfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.empty = false;
    }

    private KubeconfigException(String message) {
        super(message);
        this.empty = true;
    }

    /** Returns an exception for a configuration that names no server at all. */
    public static KubeconfigException notConfigured(String message) {
        return new KubeconfigException(message);
    }

    /** Returns whether nothing is configured at all, as opposed to something wrong. */
    public boolean isEmpty() {
        return empty;
    }
}
