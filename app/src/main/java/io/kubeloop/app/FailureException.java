package io.kubeloop.app;

import org.jspecify.annotations.Nullable;

/** The command failed for a reason that can be said in one line: exit code 1. */
final class FailureException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FailureException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
