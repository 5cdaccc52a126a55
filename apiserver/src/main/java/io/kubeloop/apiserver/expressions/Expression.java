package io.kubeloop.apiserver.expressions;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A compiled expression. Immutable; thread-safe. */
public interface Expression {

    /** The most that one evaluation may cost (upstream: {@code PerCallLimit}). */
    long COST_LIMIT = 1_000_000;

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
     * @param variables the value of each variable: a {@link io.kubeloop.json.tree.JsonValue}, an {@link java.util.Optional} of one for
     *     an optional type, an {@link AccessCheck}, or a {@code Map<String, Supplier<Outcome>>} whose entries are evaluated when they are read
     */
    Outcome evaluate(Map<String, ?> variables);

    /**
     * The outcome of an evaluation.
     *
     * @param value the result, such as a {@link Boolean} or a {@link String}; null if there is an error
     * @param error why there is no result, in the words of cel-go; null if there is one
     * @param cost the cost in cel-go's units, at most a little above {@link #COST_LIMIT}
     */
    record Outcome(@Nullable Object value, @Nullable String error, long cost) {

        /** Returns whether the evaluation was stopped because it cost too much. */
        public boolean exceedsLimit() {
            return error != null && error.startsWith("operation cancelled: actual cost limit exceeded");
        }
    }
}
