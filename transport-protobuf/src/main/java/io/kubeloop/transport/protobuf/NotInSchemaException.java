package io.kubeloop.transport.protobuf;

/** A document has something that the table does not: it has to go as JSON. */
final class NotInSchemaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotInSchemaException(String message) {
        super(message, null, false, false);
    }
}
