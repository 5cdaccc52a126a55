/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.rules;

import io.kubeloop.apiserver.customresources.schema.Paths;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.customresources.values.Correlation;
import io.kubeloop.apiserver.expressions.Expression;
import io.kubeloop.apiserver.expressions.Expression.Outcome;
import io.kubeloop.apiserver.fielderrors.FieldError;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the rules of a value and of the values inside (upstream: {@code cel.Validator.Validate}). Used for one
 * validation.
 */
final class RuleCheck {

    private static final long BUDGET = 10_000_000;

    private final FieldErrors problems = new FieldErrors();

    /** The remaining budget of the rules; negative if no further rule may run. */
    private long budget = BUDGET;

    /**
     * The value before, which decides whether an error counts.
     *
     * @param current the correlation of the value; null if it has no counterpart
     * @param parent the correlation of the nearest object around the value that has one
     */
    private record Before(
            @Nullable Correlation current, @Nullable Correlation parent) {

        boolean isUnchanged() {
            Correlation nearest = current == null ? parent : current;
            return nearest != null && nearest.isUnchanged();
        }

        Before field(String name) {
            if (current == null) {
                return this;
            }
            boolean typeField = parent == null && (name.equals("apiVersion") || name.equals("kind"));
            return typeField ? new Before(null, null) : new Before(current.field(name), current);
        }

        Before element(int index) {
            return current == null ? this : new Before(current.element(index), current);
        }
    }

    FieldErrors result() {
        return problems;
    }

    void check(RuleNode node, String path, JsonValue value, @Nullable JsonValue old, @Nullable Correlation before) {
        check(node, path, value, old, new Before(before, null));
    }

    private void check(
            @Nullable RuleNode node, String path, @Nullable JsonValue value, @Nullable JsonValue old, Before before) {
        if (node == null || value == null || value == JsonNull.NULL || budget < 0) {
            return;
        }
        JsonValue replaced = old == JsonNull.NULL ? null : old;
        evaluate(node, path, value, replaced, before);
        if (value instanceof JsonArray array) {
            List<JsonValue> elements = array.elements();
            for (int i = 0; i < elements.size(); i++) {
                JsonValue counterpart = Correlation.counterpart(node.schema(), elements.get(i), replaced);
                check(node.items(), Paths.index(path, i), elements.get(i), counterpart, before.element(i));
            }
        } else if (value instanceof JsonObject object) {
            JsonObject replacedObject = replaced instanceof JsonObject some ? some : JsonObject.EMPTY;
            object.members().forEach((name, member) -> {
                RuleNode property = node.properties().get(name);
                JsonValue counterpart = replacedObject.get(name);
                if (property != null) {
                    check(property, Paths.child(path, name), member, counterpart, before.field(name));
                } else {
                    check(node.additional(), Paths.key(path, name), member, counterpart, before.field(name));
                }
            });
        }
    }

    private void evaluate(RuleNode node, String path, JsonValue value, @Nullable JsonValue old, Before before) {
        if (node.rules().isEmpty()) {
            return;
        }
        String shown = Paths.shown(path);
        String type = node.schema().type();
        if (budget <= 0) {
            exhaust(shown, type, Expression.EXHAUSTED);
            return;
        }
        for (CompiledRule rule : node.rules()) {
            if (rule.error() != null) {
                problems.invalid(shown, type, "rule compile error: " + rule.error());
            } else if (rule.condition() != null && !(rule.usesOld() && old == null && !rule.hasOptionalOld())) {
                evaluate(rule, rule.condition(), node.schema(), path, new Values(value, old, before));
            }
            if (budget < 0) {
                return;
            }
        }
    }

    /** The value of a node, the one that it replaces, and whether errors count. */
    private record Values(JsonValue value, @Nullable JsonValue old, Before before) {

        Map<String, Object> variables(CompiledRule rule) {
            Map<String, Object> variables = new HashMap<>();
            variables.put("self", value);
            if (rule.hasOptionalOld()) {
                variables.put("oldSelf", Optional.ofNullable(old));
            } else if (old != null) {
                variables.put("oldSelf", old);
            }
            return variables;
        }
    }

    private void evaluate(CompiledRule rule, Expression condition, SchemaProps schema, String path, Values values) {
        String shown = Paths.shown(path);
        Map<String, Object> variables = values.variables(rule);
        Outcome outcome = condition.evaluate(variables);
        if (outcome.cost() > budget) {
            exhaust(shown, schema.type(), Expression.EXHAUSTED);
            return;
        }
        budget -= outcome.cost();
        String error = outcome.error();
        if (error != null) {
            if (error.startsWith("no such overload")) {
                problems.invalid(
                        shown,
                        schema.type(),
                        "'" + error + "': call arguments did not match a supported operator, function or macro"
                                + " signature for rule: " + rule.shown());
            } else if (outcome.exceedsLimit()) {
                exhaust(
                        shown,
                        schema.type(),
                        "'" + error + "': no further validation rules will be run due to call cost exceeds limit for"
                                + " rule: " + rule.shown());
            } else {
                problems.invalid(shown, schema.type(), error + " evaluating rule: " + rule.shown());
            }
        } else if (!Boolean.TRUE.equals(outcome.value())) {
            violated(rule, schema, Paths.shown(at(path, rule.fieldPath())), values, variables);
        }
    }

    private static String at(String path, String fieldPath) {
        return fieldPath.isEmpty() ? path : Paths.child(path, fieldPath);
    }

    private void exhaust(String path, String type, String detail) {
        problems.invalid(path, type, detail);
        budget = -1;
    }

    private void violated(
            CompiledRule rule, SchemaProps schema, String path, Values values, Map<String, Object> variables) {
        String detail = rule.violation();
        if (rule.message() != null) {
            Outcome outcome = rule.message().evaluate(variables);
            String refused = outcome.cost() > budget
                    ? "messageExpression evaluation failed due to running out of cost budget, no further validation"
                            + " rules will be run"
                    : outcome.exceedsLimit()
                            ? "no further validation rules will be run due to call cost exceeds limit for"
                                    + " messageExpression: "
                                    + GoText.quoted(rule.source().string("messageExpression"))
                            : null;
            if (refused != null) {
                add(FieldError.invalid(path, schema.type(), refused), rule, values.before());
                budget = -1;
                return;
            }
            budget -= outcome.cost();
            String text = outcome.message();
            detail = text.isEmpty() ? detail : text;
        }
        boolean structured = schema.type().equals("object") || schema.type().equals("array");
        add(problem(rule, path, structured ? null : values.value(), detail), rule, values.before());
    }

    private static FieldError problem(CompiledRule rule, String path, @Nullable JsonValue value, String detail) {
        return switch (rule.source().string("reason")) {
            case "FieldValueForbidden" -> FieldError.forbidden(path, detail);
            case "FieldValueRequired" -> FieldError.required(path, detail);
            case "FieldValueDuplicate" ->
                value == null
                        ? new FieldError("FieldValueDuplicate", path, "Duplicate value")
                        : FieldError.duplicate(path, value, "");
            default ->
                value == null
                        ? new FieldError("FieldValueInvalid", path, "Invalid value: " + detail)
                        : FieldError.invalid(path, value, detail);
        };
    }

    private void add(FieldError problem, CompiledRule rule, Before before) {
        if (!rule.usesOld() && before.isUnchanged()) {
            problems.warn(problem.message());
        } else {
            problems.add(problem);
        }
    }
}
