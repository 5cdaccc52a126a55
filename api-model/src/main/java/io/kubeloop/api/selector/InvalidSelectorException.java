package io.kubeloop.api.selector;

/** A selector that makes no sense. The message quotes it and says what was expected. */
public final class InvalidSelectorException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception. */
    public InvalidSelectorException(String message) {
        super(message);
    }
}
