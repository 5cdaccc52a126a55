package io.kubeloop.cache;

/** An object has no key, so that it cannot be stored (upstream: {@code cache.KeyError}, KEY-03). */
public final class KeyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception; the message says of which object. */
    public KeyException(String message, Throwable cause) {
        super(message, cause);
    }
}
