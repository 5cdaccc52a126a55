/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.expressions;

/** An expression that cannot be compiled. The message lists the errors with their places, in the words of cel-go. */
public final class ExpressionException extends Exception {

    private static final long serialVersionUID = 1L;

    /** The failed step. */
    private final String step;

    private ExpressionException(String step, String message) {
        super(message, null, false, false);
        this.step = step;
    }

    /** Creates an exception. */
    public ExpressionException(String message) {
        this("compilation", message);
    }

    /** Returns the exception of an expression that compiles, but of whose constants no program can be made. */
    public static ExpressionException ofProgram(String message) {
        return new ExpressionException("program instantiation", message);
    }

    /** Returns the message with the step that failed. */
    public String failure() {
        return step + " failed: " + getMessage();
    }
}
