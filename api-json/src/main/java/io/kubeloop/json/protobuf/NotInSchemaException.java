package io.kubeloop.json.protobuf;

/** A document has something that the table of kinds does not: it has to go as JSON. */
public final class NotInSchemaException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotInSchemaException(String message) {
        super(message, null, false, false);
    }
}
