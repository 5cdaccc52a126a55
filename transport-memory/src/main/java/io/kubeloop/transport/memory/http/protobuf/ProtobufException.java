package io.kubeloop.transport.memory.http.protobuf;

/** A body that cannot be read. */
public final class ProtobufException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean unsupported;

    private ProtobufException(boolean unsupported, String message) {
        super(message);
        this.unsupported = unsupported;
    }

    static ProtobufException malformed(String message) {
        return new ProtobufException(false, message);
    }

    static ProtobufException unsupported(String message) {
        return new ProtobufException(true, message);
    }

    /** Returns whether the bytes may be all right, but hold what this reader has no name for. */
    public boolean isUnsupported() {
        return unsupported;
    }
}
