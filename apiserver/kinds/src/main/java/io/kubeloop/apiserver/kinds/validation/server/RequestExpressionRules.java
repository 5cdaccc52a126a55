/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.expressions.RequestVariables;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.requests.RequestExpression;
import io.kubeloop.json.tree.JsonString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the expressions of one webhook or policy. Accepts every expression on a server without a compiler. Used for
 * one validation.
 */
final class RequestExpressionRules {

    private final @Nullable ExpressionCompiler compiler;

    /** Created for the first expression, because it loads the compiler's library. */
    private @Nullable RequestVariables created;

    private final boolean params;
    private final boolean composed;
    private final Map<String, ExpressionCompiler.Type> variables = new LinkedHashMap<>();

    /**
     * Starts a validation.
     *
     * @param params whether the expressions can read parameters
     * @param composed whether the expressions can read variables
     */
    RequestExpressionRules(boolean params, boolean composed) {
        compiler = ExpressionCompiler.installed().orElse(null);
        this.params = params;
        this.composed = composed;
    }

    private @Nullable RequestVariables types() {
        if (created == null && compiler != null) {
            created = new RequestVariables(compiler);
        }
        return created;
    }

    /** Conditions cannot read variables. */
    void condition(FieldCursor expression) {
        check(expression, expression.text().strip(), null, List.of("bool"));
    }

    /** A variable can be read by the expressions after it. */
    void variable(String name, FieldCursor expression) {
        RequestExpression compiled = check(expression, expression.text(), variables, List.of());
        if (compiled != null && compiler != null) {
            variables.put(name, compiled.type(compiler));
        }
    }

    void validation(FieldCursor expression) {
        check(expression, expression.text(), variables, List.of("bool"));
    }

    void message(FieldCursor expression) {
        check(expression, expression.text(), variables, false, List.of("string"));
    }

    void annotation(FieldCursor expression) {
        check(expression, expression.text().strip(), variables, List.of("string", "null_type"));
    }

    void change(FieldCursor expression, boolean isPatch) {
        RequestVariables types = types();
        if (types != null) {
            String text = expression.text();
            Map<String, ExpressionCompiler.Type> known = types.types(params, true, composed ? variables : null);
            refuse(expression, text, RequestExpression.ofChange(types.compiler(), text, known, isPatch));
        }
    }

    private @Nullable RequestExpression check(
            FieldCursor field,
            String text,
            @Nullable Map<String, ExpressionCompiler.Type> declared,
            List<String> results) {
        return check(field, text, declared, true, results);
    }

    private @Nullable RequestExpression check(
            FieldCursor field,
            String text,
            @Nullable Map<String, ExpressionCompiler.Type> declared,
            boolean access,
            List<String> results) {
        RequestVariables types = types();
        if (types == null) {
            return null;
        }
        Map<String, ExpressionCompiler.Type> known = types.types(params, access, composed ? declared : null);
        RequestExpression compiled = RequestExpression.of(types.compiler(), text, known, results);
        refuse(field, text, compiled);
        return compiled;
    }

    private static void refuse(FieldCursor field, String text, RequestExpression compiled) {
        if (compiled.error() != null) {
            field.holding(new JsonString(text)).invalid(compiled.error());
        }
    }
}
