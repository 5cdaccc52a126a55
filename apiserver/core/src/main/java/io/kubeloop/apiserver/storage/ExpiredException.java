/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

/** The requested history has been discarded. */
public final class ExpiredException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long requested;
    private final long oldest;

    ExpiredException(long requested, long oldest) {
        super("too old resource version: " + requested + " (" + oldest + ")", null, false, false);
        this.requested = requested;
        this.oldest = oldest;
    }

    /** Returns the requested version. */
    public long requested() {
        return requested;
    }

    /** Returns the oldest version from which the history is complete. */
    public long oldest() {
        return oldest;
    }
}
