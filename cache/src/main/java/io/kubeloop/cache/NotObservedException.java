/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

/**
 * Thrown when an expected version or event is not observed in time. The message contains the expected and the observed
 * state.
 */
public final class NotObservedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception with this message. */
    public NotObservedException(String message) {
        super(message);
    }
}
