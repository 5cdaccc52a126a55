package io.kubeloop.cache;

/**
 * Thrown when caches are not filled in time. The message names each informer, its last error and what may be missing.
 */
public final class CacheSyncTimeoutException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception with this message. */
    public CacheSyncTimeoutException(String message) {
        super(message);
    }
}
