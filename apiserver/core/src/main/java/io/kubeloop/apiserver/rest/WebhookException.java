/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.rest;

/** A webhook could not be called, or its answer is invalid. */
public final class WebhookException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Creates an exception without a cause. */
    public WebhookException(String message) {
        super(message);
    }

    /** Creates an exception with the failure of the call. */
    public WebhookException(String message, Throwable cause) {
        super(message, cause);
    }
}
