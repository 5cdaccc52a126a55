/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

/** A patch that cannot be applied. */
public final class PatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The category of the error. */
    public enum Kind {
        /** The patch is invalid for every document: 400 over HTTP. */
        MALFORMED,
        /** The patch does not fit the document: 422 over HTTP. */
        UNPROCESSABLE,
        /** The patch has too many operations: 413 over HTTP. */
        TOO_LARGE,
        /** The server has no answer for this error: 500 over HTTP. */
        FAILED
    }

    private final Kind kind;

    private PatchException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** Returns an error for a patch that is invalid for every document: 400 over HTTP. */
    public static PatchException malformed(String message) {
        return new PatchException(Kind.MALFORMED, message);
    }

    /** Returns an error for a patch that does not fit the document: 422 over HTTP. */
    public static PatchException unprocessable(String message) {
        return new PatchException(Kind.UNPROCESSABLE, message);
    }

    /** Returns an error for a patch with too many operations: 413 over HTTP. */
    public static PatchException tooLarge(String message) {
        return new PatchException(Kind.TOO_LARGE, message);
    }

    /** Returns an error for which the server has no answer: 500 over HTTP. */
    public static PatchException failed(String message) {
        return new PatchException(Kind.FAILED, message);
    }

    /** Returns the category of the error. */
    public Kind kind() {
        return kind;
    }

    /** Returns whether the patch is invalid for every document (400), rather than unfit for this one (422). */
    public boolean isMalformed() {
        return kind == Kind.MALFORMED;
    }
}
