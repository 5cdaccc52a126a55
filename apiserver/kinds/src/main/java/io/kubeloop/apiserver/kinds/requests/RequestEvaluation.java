/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.requests;

import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.Expression.Outcome;
import io.kubeloop.apiserver.expressions.RequestVariables;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates expressions about one request within a budget (upstream: {@code plugin/cel.evaluationActivation}).
 * Variables of a policy are evaluated when an expression reads them, once. Confined to the thread of the request.
 */
public final class RequestEvaluation {

    private final Map<String, Object> values = new HashMap<>();
    private long budget;

    /** The budget is spent; the message is upstream's. */
    public static final class BudgetException extends Exception {

        private static final long serialVersionUID = 1L;

        BudgetException() {
            super(Expression.EXHAUSTED, null, false, false);
        }
    }

    /**
     * Starts an evaluation.
     *
     * @param budget the cost limit of all expressions together
     * @param facts the values of the variables
     * @param params the parameters; null for none
     */
    public RequestEvaluation(long budget, Map<String, ?> facts, @Nullable JsonObject params) {
        this.budget = budget;
        values.putAll(facts);
        values.put(RequestVariables.PARAMS, params == null ? JsonNull.NULL : params);
    }

    /** Sets the namespace of the request; null for none. */
    public RequestEvaluation in(@Nullable JsonObject namespace) {
        values.put(RequestVariables.NAMESPACE, namespace == null ? JsonNull.NULL : namespace);
        return this;
    }

    /** Returns the same values with another budget. */
    RequestEvaluation withBudget(long other) {
        RequestEvaluation copy = new RequestEvaluation(other, Map.of(), null);
        copy.values.putAll(values);
        return copy;
    }

    /** Declares the variables of a policy, in their order. */
    public void declare(Map<String, RequestExpression> variables) {
        Map<String, Supplier<Outcome>> lazy = new LinkedHashMap<>();
        variables.forEach((name, expression) -> lazy.put(name, () -> variable(name, expression)));
        values.put(RequestVariables.VARIABLES, lazy);
    }

    private Outcome variable(String name, RequestExpression expression) {
        if (expression.compiled() == null) {
            return new Outcome(null, "composited variable \"" + name + "\" fails to compile: " + expression.error(), 0);
        }
        Outcome outcome = expression.compiled().evaluate(values);
        budget -= outcome.cost();
        return outcome.error() == null
                ? outcome
                : new Outcome(
                        null,
                        "composited variable \"" + name + "\" fails to evaluate: " + outcome.error(),
                        outcome.cost());
    }

    /**
     * Evaluates an expression.
     *
     * @return the outcome, whose error has upstream's form
     * @throws BudgetException if the budget is spent
     */
    public Outcome evaluate(RequestExpression expression) throws BudgetException {
        if (expression.compiled() == null) {
            return new Outcome(null, "compilation error: " + expression.error(), 0);
        }
        Outcome outcome = expression.compiled().evaluate(values);
        budget -= outcome.cost();
        if (budget < 0) {
            throw new BudgetException();
        }
        return outcome.error() == null
                ? outcome
                : new Outcome(
                        null,
                        "expression '" + expression.text() + "' resulted in error: " + outcome.error(),
                        outcome.cost());
    }
}
