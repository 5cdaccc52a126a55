/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.expressions;

/** An expression that cannot be compiled. The message lists the errors with their places, in the words of cel-go. */
public final class ExpressionException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Creates an exception. */
    public ExpressionException(String message) {
        super(message, null, false, false);
    }
}
