/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.policies;

import io.kubeloop.apiserver.expressions.Expression.Outcome;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.expressions.RequestVariables;
import io.kubeloop.apiserver.kinds.requests.MatchConditions;
import io.kubeloop.apiserver.kinds.requests.MatchConditions.ConditionException;
import io.kubeloop.apiserver.kinds.requests.MatchedRequests;
import io.kubeloop.apiserver.kinds.requests.RequestEvaluation;
import io.kubeloop.apiserver.kinds.requests.RequestEvaluation.BudgetException;
import io.kubeloop.apiserver.kinds.requests.RequestExpression;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A compiled policy, which checks or changes objects (upstream: {@code plugin/policy/validating/validator.go}, {@code
 * mutating/compilation.go}). Immutable.
 *
 * @param policy the policy
 * @param match the requests to which it applies
 * @param conditions the further conditions of these requests
 * @param variables the variables in their order
 * @param validations the expressions that must be true, with their messages
 * @param annotations the values of the annotations for the audit log, which this server does not write
 * @param changes the changes that it makes, one after the other
 */
record CompiledPolicy(
        JsonObject policy,
        MatchedRequests match,
        MatchConditions conditions,
        Map<String, RequestExpression> variables,
        List<Check> validations,
        List<RequestExpression> annotations,
        List<Change> changes) {

    /**
     * One validation.
     *
     * @param source the validation as the policy states it
     * @param expression the expression that must be true
     * @param message the expression of the message; null if there is none
     */
    record Check(
            JsonObject source,
            RequestExpression expression,
            @Nullable RequestExpression message) {}

    /**
     * One change.
     *
     * @param isPatch whether the result of the expression is a JSON patch, and not a part of the object
     */
    record Change(boolean isPatch, RequestExpression expression) {}

    /**
     * A reason to deny a request.
     *
     * @param reason the reason of the status, such as {@code Invalid}
     * @param always whether the request is denied whatever the actions of the binding are
     */
    record Denial(String reason, String message, boolean always) {}

    static CompiledPolicy of(RequestVariables types, JsonObject policy) {
        ExpressionCompiler compiler = types.compiler();
        JsonObject spec = policy.object("spec");
        boolean params = spec.get("paramKind") instanceof JsonObject;
        Map<String, RequestExpression> variables = new LinkedHashMap<>();
        Map<String, ExpressionCompiler.Type> declared = new LinkedHashMap<>();
        spec.array("variables").objects().forEach(variable -> {
            RequestExpression compiled = RequestExpression.of(
                    compiler, variable.string("expression"), types.types(params, true, declared), List.of());
            variables.put(variable.string("name"), compiled);
            declared.put(variable.string("name"), compiled.type(compiler));
        });
        Map<String, ExpressionCompiler.Type> all = types.types(params, true, declared);
        Map<String, ExpressionCompiler.Type> ofMessages = types.types(params, false, declared);
        return new CompiledPolicy(
                policy,
                MatchedRequests.ofPolicy(spec.object("matchConstraints")),
                MatchConditions.of(compiler, spec.array("matchConditions"), all),
                variables,
                spec.array("validations")
                        .objects()
                        .map(validation -> check(compiler, validation, all, ofMessages))
                        .toList(),
                spec.array("auditAnnotations")
                        .objects()
                        .map(annotation -> annotation(compiler, annotation, all))
                        .toList(),
                spec.array("mutations")
                        .objects()
                        .map(change -> change(compiler, change, all))
                        .toList());
    }

    private static RequestExpression annotation(
            ExpressionCompiler compiler, JsonObject annotation, Map<String, ExpressionCompiler.Type> types) {
        String text = annotation.string("valueExpression").strip();
        return RequestExpression.of(compiler, text, types, List.of("string", "null_type"));
    }

    private static Change change(
            ExpressionCompiler compiler, JsonObject change, Map<String, ExpressionCompiler.Type> types) {
        boolean isPatch = change.string("patchType").equals("JSONPatch");
        String text = change.string(isPatch ? "jsonPatch" : "applyConfiguration", "expression");
        return new Change(isPatch, RequestExpression.ofChange(compiler, text, types, isPatch));
    }

    private static Check check(
            ExpressionCompiler compiler,
            JsonObject validation,
            Map<String, ExpressionCompiler.Type> types,
            Map<String, ExpressionCompiler.Type> ofMessages) {
        String message = validation.string("messageExpression");
        return new Check(
                validation,
                RequestExpression.of(compiler, validation.string("expression"), types, List.of("bool")),
                message.isEmpty() ? null : RequestExpression.of(compiler, message, ofMessages, List.of("string")));
    }

    String name() {
        return policy.string("metadata", "name");
    }

    boolean ignoresFailures() {
        return policy.string("spec", "failurePolicy").equals("Ignore");
    }

    /** Returns the reasons to deny a request. */
    List<Denial> validate(RequestEvaluation evaluation) {
        evaluation.declare(variables);
        try {
            if (!conditions.match(evaluation, ignoresFailures())) {
                return List.of();
            }
            List<Outcome> outcomes = new ArrayList<>();
            for (Check check : validations) {
                outcomes.add(evaluation.evaluate(check.expression()));
            }
            List<Denial> denials = new ArrayList<>();
            for (int i = 0; i < outcomes.size(); i++) {
                judge(validations.get(i), outcomes.get(i), evaluation, denials);
            }
            for (RequestExpression annotation : annotations) {
                String error = evaluation.evaluate(annotation).error();
                if (error != null && !ignoresFailures()) {
                    denials.add(new Denial("", error, true));
                }
            }
            return denials;
        } catch (ConditionException | BudgetException e) {
            return failed(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the denial of a request that cannot be checked; none if failures are ignored. */
    List<Denial> failed(String message) {
        return ignoresFailures() ? List.of() : List.of(new Denial("", message, false));
    }

    private void judge(Check check, Outcome outcome, RequestEvaluation evaluation, List<Denial> denials) {
        if (outcome.error() != null) {
            denials.addAll(failed(outcome.error()));
        } else if (!Boolean.TRUE.equals(outcome.value())) {
            try {
                denials.add(new Denial(check.source().string("reason"), message(check, evaluation), false));
            } catch (BudgetException e) {
                denials.addAll(failed("failed messageExpression: " + e.getMessage()));
            }
        }
    }

    private static String message(Check check, RequestEvaluation evaluation) throws BudgetException {
        String text = check.message() == null
                ? ""
                : evaluation.evaluate(check.message()).message();
        String message = text.isEmpty() ? check.source().string("message").strip() : text;
        return message.isEmpty()
                ? "failed expression: " + check.source().string("expression").strip()
                : message;
    }
}
