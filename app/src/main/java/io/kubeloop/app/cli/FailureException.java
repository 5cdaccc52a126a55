package io.kubeloop.app.cli;

import org.jspecify.annotations.Nullable;

/** The command failed for a reason that can be said in one line: exit code 1. */
public final class FailureException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public FailureException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
