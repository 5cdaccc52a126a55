package io.kubeloop.cache;

import org.jspecify.annotations.Nullable;

/**
 * An index function failed. On a write the object is stored nevertheless, so that the cache stays true to the server; only
 * the one index does not know it (upstream panics, IX-02).
 */
public final class IndexException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception; the message names the index and the key. */
    public IndexException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
