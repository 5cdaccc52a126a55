package io.kubeloop.json.patch;

/** A patch that cannot be applied. */
public final class PatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** What is wrong with a patch. */
    public enum Fault {
        /** It makes no sense, whatever it is applied to: 400 over HTTP. */
        MALFORMED,
        /** It does not fit the document: 422 over HTTP. */
        UNPROCESSABLE,
        /** It has more operations than a patch may: 413 over HTTP. */
        TOO_LARGE
    }

    private final Fault fault;

    private PatchException(Fault fault, String message) {
        super(message);
        this.fault = fault;
    }

    /** The patch itself makes no sense, whatever it is applied to: 400 over HTTP. */
    static PatchException malformed(String message) {
        return new PatchException(Fault.MALFORMED, message);
    }

    /** The patch does not fit the document: 422 over HTTP. */
    static PatchException unprocessable(String message) {
        return new PatchException(Fault.UNPROCESSABLE, message);
    }

    /** The patch has more operations than one may: 413 over HTTP. */
    static PatchException tooLarge(String message) {
        return new PatchException(Fault.TOO_LARGE, message);
    }

    /** Returns what is wrong. */
    public Fault fault() {
        return fault;
    }

    /** Returns whether the patch makes no sense at all (400), as opposed to not fitting the document (422). */
    public boolean isMalformed() {
        return fault == Fault.MALFORMED;
    }
}
