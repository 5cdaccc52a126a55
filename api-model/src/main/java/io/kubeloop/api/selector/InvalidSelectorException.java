package io.kubeloop.api.selector;

/** A selector that makes no sense. The message quotes the text and names the expected syntax. */
public final class InvalidSelectorException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception. */
    public InvalidSelectorException(String message) {
        super(message);
    }
}
