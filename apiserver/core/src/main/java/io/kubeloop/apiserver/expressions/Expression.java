/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.expressions;

import io.kubeloop.json.tree.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A compiled expression. Immutable; thread-safe. */
public interface Expression {

    /** The most that one evaluation may cost (upstream: {@code PerCallLimit}). */
    long COST_LIMIT = 1_000_000;

    /**
     * Why no further expression is evaluated, once the expressions of a request or of an object have cost too much
     * together.
     */
    String EXHAUSTED = "validation failed due to running out of cost budget, no further validation rules will be run";

    /** Returns the type of the results. */
    ExpressionCompiler.Type type();

    /** Returns the name of the type of the results, such as {@code bool} or {@code list(string)}. */
    String typeName();

    /** Returns the estimate of the most that an evaluation can cost; {@link Long#MAX_VALUE} if nothing limits it. */
    long mostCost();

    /** Returns whether the expression refers to this variable. */
    boolean uses(String variable);

    /**
     * Evaluates the expression.
     *
     * @param variables the value of each variable: a {@link JsonValue}, an {@link java.util.Optional} of one for an
     *     optional type, an {@link AccessCheck}, or a {@code Map<String,
     *     Supplier<Outcome>>} whose entries are evaluated when they are read
     */
    Outcome evaluate(Map<String, ?> variables);

    /** The change of an object that an expression has computed. */
    @FunctionalInterface
    interface Change {

        /**
         * Returns a part of the object, or a JSON patch.
         *
         * @throws ExpressionException if the parts do not fit together
         */
        JsonValue json() throws ExpressionException;
    }

    /**
     * The outcome of an evaluation.
     *
     * @param value the result, such as a {@link Boolean}, a {@link String} or a {@link Change}; null if there is an
     *     error
     * @param error why there is no result, in the words of cel-go; null if there is one
     * @param cost the cost in cel-go's units, at most a little above {@link #COST_LIMIT}
     */
    record Outcome(@Nullable Object value, @Nullable String error, long cost) {

        private static final int MAX_MESSAGE = 5 * 1024;

        /**
         * Returns the result as a message for a client; empty if it is no text, has several lines, or more than 5 KiB.
         */
        public String message() {
            String text = value instanceof String some ? some.strip() : "";
            boolean usable = text.indexOf('\n') < 0 && text.getBytes(StandardCharsets.UTF_8).length <= MAX_MESSAGE;
            return usable ? text : "";
        }

        /** Returns whether the evaluation was stopped because it cost too much. */
        public boolean exceedsLimit() {
            return error != null && error.startsWith("operation cancelled: actual cost limit exceeded");
        }
    }
}
