package io.kubeloop.json.protobuf;

/** A document has a kind or a field that protocol buffers have no place for. It must be sent as JSON. */
public final class NotInSchemaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotInSchemaException(String message) {
        super(message, null, false, false);
    }
}
