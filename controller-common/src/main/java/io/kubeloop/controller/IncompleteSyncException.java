/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

/**
 * Reports that a sync did all that it can do now and must run again, although nothing failed: an informer has not shown
 * an object yet, or content is still being deleted. {@link ControllerLoop} brings the item back with backoff, and logs
 * it at debug level.
 */
public final class IncompleteSyncException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception without a stack trace; the message names the object and the reason. */
    public IncompleteSyncException(String message) {
        super(message, null, false, false);
    }
}
