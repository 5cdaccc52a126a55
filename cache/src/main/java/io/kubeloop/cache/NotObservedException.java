package io.kubeloop.cache;

/** A cache did not observe a version in time. The message says what was waited for, and what was there instead. */
public final class NotObservedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception. */
    public NotObservedException(String message) {
        super(message);
    }
}
