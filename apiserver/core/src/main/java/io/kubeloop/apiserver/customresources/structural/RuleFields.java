/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/**
 * The rules of the fields of {@code x-kubernetes-validations}, except those of the expressions. Static functions only.
 */
final class RuleFields {

    private static final List<String> REASONS =
            List.of("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

    private RuleFields() {}

    static void check(SchemaProps schema, String path, FieldErrors problems) {
        List<JsonObject> rules = schema.rules().objects().toList();
        for (int i = 0; i < rules.size(); i++) {
            check(schema, rules.get(i), path + ".x-kubernetes-validations[" + i + "]", problems);
        }
    }

    private static void check(SchemaProps schema, JsonObject rule, String path, FieldErrors problems) {
        String text = rule.string("rule").strip();
        String message = rule.string("message");
        if (text.isEmpty()) {
            problems.required(path + ".rule", "rule is not specified");
        } else if (!message.isEmpty() && message.isBlank()) {
            problems.invalid(path + ".message", message, "must be non-empty if specified");
        } else if (hasLineBreak(message.strip())) {
            problems.invalid(path + ".message", message, "must not contain line breaks");
        } else if (hasLineBreak(text) && message.isBlank()) {
            problems.required(path + ".message", "message must be specified if rule contains line breaks");
        }
        String expression = rule.string("messageExpression");
        if (!expression.isEmpty() && expression.isBlank()) {
            problems.required(path + ".messageExpression", "messageExpression must be non-empty if specified");
        }
        String reason = rule.string("reason");
        if (rule.has("reason") && !REASONS.contains(reason)) {
            problems.notSupported(path + ".reason", reason, REASONS);
        }
        String fieldPath = rule.string("fieldPath");
        if (fieldPath.isEmpty()) {
            return;
        }
        String at = path + ".fieldPath";
        if (fieldPath.isBlank()) {
            problems.invalid(at, fieldPath, "must be non-empty if specified");
        }
        if (hasLineBreak(fieldPath)) {
            problems.invalid(at, fieldPath, "must not contain line breaks");
        }
        if (UnsupportedFields.firstIn(schema) == null
                && SchemaFieldPath.find(fieldPath, schema, true).error() != null) {
            problems.invalid(at, fieldPath, "must be a valid path");
        }
    }

    private static boolean hasLineBreak(String text) {
        return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
    }
}
