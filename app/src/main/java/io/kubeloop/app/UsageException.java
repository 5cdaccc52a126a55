package io.kubeloop.app;

/** The command line asks for something that makes no sense: exit code 2. */
final class UsageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UsageException(String message) {
        super(message);
    }
}
