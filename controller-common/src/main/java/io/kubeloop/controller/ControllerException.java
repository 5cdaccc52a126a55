/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import org.jspecify.annotations.Nullable;

/**
 * Reports that a controller could not complete an operation. The message names the operation and the reason; a
 * controller may store it in a condition.
 */
public final class ControllerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception. */
    public ControllerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
