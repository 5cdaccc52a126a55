/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.rules;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.customresources.structural.SchemaFieldPath;
import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.expressions.ExpressionException;
import io.kubeloop.json.tree.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a schema with its expressions (upstream: {@code cel.CompilationResult}). Immutable.
 *
 * @param source the rule as the schema states it
 * @param condition the expression that must be true; null if it has errors or is empty
 * @param error why there is no condition
 * @param message the expression of the message; null if there is none, or if it has errors
 * @param messageError why there is no expression of the message
 * @param fieldPath the field to which the error belongs, relative to the value; empty for the value itself
 */
public record CompiledRule(
        JsonObject source,
        @Nullable Expression condition,
        @Nullable String error,
        @Nullable Expression message,
        @Nullable String messageError,
        String fieldPath) {

    private static final String SELF = "self";
    private static final String OLD = "oldSelf";

    /**
     * Compiles a rule.
     *
     * @param type the type of the values of the schema
     */
    public static CompiledRule of(
            ExpressionCompiler compiler, SchemaProps schema, ExpressionCompiler.Type type, JsonObject rule) {
        Map<String, ExpressionCompiler.Type> variables =
                Map.of(SELF, type, OLD, rule.bool("optionalOldSelf") ? compiler.optional(type) : type);
        Expression condition = null;
        String error = null;
        Expression message = null;
        String messageError = null;
        if (!rule.string("rule").isBlank()) {
            try {
                condition = compiled(compiler, rule.string("rule"), variables, "bool", "cel expression");
            } catch (ExpressionException e) {
                error = e.getMessage();
            }
        }
        String text = rule.string("messageExpression");
        if (condition != null && !text.isEmpty()) {
            try {
                message = compiled(compiler, text, variables, "string", "messageExpression");
            } catch (ExpressionException e) {
                String problem = String.valueOf(e.getMessage());
                String step = problem.startsWith("program ") ? problem.substring("program ".length()) : problem;
                messageError =
                        step.startsWith("compilation") || !step.equals(problem) ? "messageExpression " + step : problem;
            }
        }
        String path = rule.string("fieldPath");
        SchemaFieldPath.Found found = path.isEmpty() ? null : SchemaFieldPath.find(path, schema, true);
        return new CompiledRule(
                rule,
                condition,
                error,
                message,
                messageError,
                found == null || found.error() != null ? "" : found.path());
    }

    private static Expression compiled(
            ExpressionCompiler compiler,
            String text,
            Map<String, ExpressionCompiler.Type> variables,
            String required,
            String what)
            throws ExpressionException {
        Expression expression;
        try {
            expression = compiler.compile(text, variables);
        } catch (ExpressionException e) {
            throw new ExpressionException(e.failure());
        }
        if (!expression.typeName().equals(required)) {
            throw new ExpressionException(what + " must evaluate to a " + required);
        }
        return expression;
    }

    /** Returns whether the condition compares the value with the one before. */
    public boolean usesOld() {
        return condition != null && condition.uses(OLD);
    }

    /** Returns whether the rule also holds for values without one before. */
    boolean hasOptionalOld() {
        return source.bool("optionalOldSelf");
    }

    /** Returns the message of the rule for errors; the text of the rule if it has no message. */
    String shown() {
        String text = source.string("message");
        return (text.isEmpty() ? source.string("rule") : text).strip();
    }

    /** Returns the message of a violation, unless an expression returns it. */
    String violation() {
        return source.string("message").isEmpty() ? "failed rule: " + shown() : shown();
    }
}
