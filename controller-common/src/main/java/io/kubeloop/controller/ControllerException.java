package io.kubeloop.controller;

import org.jspecify.annotations.Nullable;

/** A controller could not do what it wanted to; the message says what and why, and may end up in a condition. */
public final class ControllerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception. */
    public ControllerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
