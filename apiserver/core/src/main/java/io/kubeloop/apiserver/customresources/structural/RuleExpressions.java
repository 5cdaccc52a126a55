/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.rules.CompiledRule;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.fielderrors.FieldError;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compiles the expressions of {@code x-kubernetes-validations}. Used for one validation. */
final class RuleExpressions {

    private final ExpressionCompiler compiler;
    private final RuleCosts costs;
    private final FieldErrors problems;

    RuleExpressions(ExpressionCompiler compiler, RuleCosts costs, FieldErrors problems) {
        this.compiler = compiler;
        this.costs = costs;
        this.problems = problems;
    }

    /**
     * Checks the rules of one schema.
     *
     * @param resource whether the values are objects with kind, version and metadata
     * @param count how many values one object can have; null if only the size of a request limits it
     * @param unordered the outermost list around the values whose elements have no counterpart after a change; null for
     *     none
     */
    void check(SchemaProps schema, boolean resource, String path, @Nullable Long count, @Nullable String unordered) {
        List<JsonObject> rules = schema.rules().objects().toList();
        if (rules.isEmpty()) {
            return;
        }
        String all = path + ".x-kubernetes-validations";
        Optional<ExpressionCompiler.Type> type = compiler.of(schema.source(), resource);
        if (type.isEmpty()) {
            problems.add(FieldError.internal(
                    all,
                    "internal error: failed to construct type information for x-kubernetes-validations rules: unable"
                            + " to convert structural schema to CEL declarations"));
            return;
        }
        long values = count == null ? compiler.mostValues(schema.source(), resource) : count;
        for (int i = 0; i < rules.size(); i++) {
            check(CompiledRule.of(compiler, schema, type.get(), rules.get(i)), all + "[" + i + "]", values, unordered);
        }
    }

    private void check(CompiledRule rule, String path, long values, @Nullable String unordered) {
        if (rule.condition() != null) {
            long each = rule.condition().mostCost();
            long cost = each != 0 && values > Long.MAX_VALUE / each ? Long.MAX_VALUE : each * values;
            costs.add(path + ".rule", "rule", cost, problems);
        }
        if (rule.message() != null) {
            costs.add(
                    path + ".messageExpression",
                    "messageExpression",
                    rule.message().mostCost(),
                    problems);
        }
        JsonObject shown = InternalSchemaText.rule(rule.source());
        if (rule.error() != null) {
            problems.invalidLiteral(path + ".rule", shown.toString(), rule.error());
        }
        if (rule.messageError() != null) {
            problems.invalidLiteral(path + ".messageExpression", shown.toString(), rule.messageError());
        }
        if (rule.usesOld() && unordered != null) {
            problems.invalid(
                    path + ".rule",
                    rule.source().string("rule"),
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within " + unordered);
        }
        if (!rule.usesOld() && rule.source().get("optionalOldSelf") instanceof JsonBoolean optional) {
            problems.invalid(path + ".optionalOldSelf", optional, "may not be set if oldSelf is not used in rule");
        }
    }
}
