/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.requests;

import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.expressions.ExpressionException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An expression about a request (upstream: {@code plugin/cel.CompilationResult}). Immutable.
 *
 * @param text the expression
 * @param compiled the compiled expression; null if it has errors
 * @param error the errors; null if there are none
 */
public record RequestExpression(
        String text,
        @Nullable Expression compiled,
        @Nullable String error) {

    /**
     * Compiles an expression.
     *
     * @param variables the variables of the expression
     * @param results the names of the types that the result may have; empty for any
     */
    public static RequestExpression of(
            ExpressionCompiler compiler,
            String text,
            Map<String, ExpressionCompiler.Type> variables,
            List<String> results) {
        try {
            return typed(text, compiler.compile(text, variables), results);
        } catch (ExpressionException e) {
            return new RequestExpression(text, null, e.failure());
        }
    }

    private static RequestExpression typed(String text, Expression compiled, List<String> results) {
        String type = compiled.typeName();
        if (results.isEmpty() || results.contains(type)) {
            return new RequestExpression(text, compiled, null);
        }
        String required = results.size() == 1 ? results.get(0) : "one of [" + String.join(" ", results) + "]";
        return new RequestExpression(text, null, "must evaluate to " + required + " but got " + type);
    }

    /**
     * Compiles an expression that describes a change of an object.
     *
     * @param isPatch whether the result is a list of {@code JSONPatch}, and not an {@code Object}
     */
    public static RequestExpression ofChange(
            ExpressionCompiler compiler, String text, Map<String, ExpressionCompiler.Type> variables, boolean isPatch) {
        try {
            return typed(
                    text, compiler.compileChange(text, variables), List.of(isPatch ? "list(JSONPatch)" : "Object"));
        } catch (ExpressionException e) {
            return new RequestExpression(text, null, e.failure());
        }
    }

    /** Returns the type of the results; any if the expression has errors. */
    public ExpressionCompiler.Type type(ExpressionCompiler compiler) {
        return compiled == null ? compiler.any() : compiled.type();
    }
}
