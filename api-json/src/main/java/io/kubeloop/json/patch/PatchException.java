package io.kubeloop.json.patch;

/** A patch that cannot be applied. */
public final class PatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean malformed;

    private PatchException(boolean malformed, String message) {
        super(message);
        this.malformed = malformed;
    }

    /** The patch itself makes no sense, whatever it is applied to: 400 over HTTP. */
    static PatchException malformed(String message) {
        return new PatchException(true, message);
    }

    /** The patch does not fit the document: 422 over HTTP. */
    static PatchException unprocessable(String message) {
        return new PatchException(false, message);
    }

    /** Returns whether the patch makes no sense at all (400), as opposed to not fitting the document (422). */
    public boolean isMalformed() {
        return malformed;
    }
}
