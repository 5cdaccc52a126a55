/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.requests;

import io.kubeloop.apiserver.expressions.Expression.Outcome;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.kinds.requests.RequestEvaluation.BudgetException;
import io.kubeloop.json.tree.JsonArray;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The conditions under which a webhook or a policy receives a request (upstream: {@code
 * plugin/webhook/matchconditions}). Immutable.
 *
 * @param conditions the conditions, all of which must be true
 */
public record MatchConditions(List<RequestExpression> conditions) {

    private static final long BUDGET = 2_500_000;

    /** No conditions. */
    public static final MatchConditions NONE = new MatchConditions(List.of());

    /** The conditions cannot be evaluated, and the failure policy is {@code Fail}; the message is upstream's. */
    public static final class ConditionException extends Exception {

        private static final long serialVersionUID = 1L;

        ConditionException(String message) {
            super(message, null, false, false);
        }
    }

    /** Compiles the conditions of a configuration. */
    public static MatchConditions of(
            ExpressionCompiler compiler, JsonArray conditions, Map<String, ExpressionCompiler.Type> variables) {
        return new MatchConditions(conditions
                .objects()
                .map(condition -> RequestExpression.of(
                        compiler, condition.string("expression").strip(), variables, List.of("bool")))
                .toList());
    }

    /**
     * Returns whether all conditions are true. A condition that is false decides, even if others fail.
     *
     * @param ignoresFailures whether a request does not match if a condition fails
     * @throws ConditionException if a condition fails, none is false, and failures are not ignored
     */
    public boolean match(RequestEvaluation evaluation, boolean ignoresFailures) throws ConditionException {
        if (conditions.isEmpty()) {
            return true;
        }
        RequestEvaluation own = evaluation.withBudget(BUDGET);
        List<Outcome> outcomes = new ArrayList<>();
        String failure = null;
        try {
            for (RequestExpression condition : conditions) {
                outcomes.add(own.evaluate(condition));
            }
        } catch (BudgetException e) {
            outcomes.clear();
            failure = e.getMessage();
        }
        List<String> errors = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            if (outcome.error() != null) {
                errors.add(outcome.error());
            }
            if (Boolean.FALSE.equals(outcome.value())) {
                return false;
            }
        }
        if (!errors.isEmpty()) {
            failure = errors.size() == 1 ? errors.get(0) : "[" + String.join(", ", errors) + "]";
        }
        if (failure != null && !ignoresFailures) {
            throw new ConditionException(failure);
        }
        return failure == null;
    }
}
