/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.apiserver.kinds.validation.workload.DisruptionRules;
import io.kubeloop.apiserver.objectmeta.Names;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonString;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Validation of admission policies and of their bindings (upstream: {@code pkg/apis/admissionregistration/validation}).
 */
public final class AdmissionPolicyRules {

    private static final String NEITHER = "validations or auditAnnotations must contain at least one item";
    private static final String EXCLUSIVE = "name and selector are mutually exclusive";
    private static final List<String> REASONS = List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
    private static final List<String> ACTIONS = List.of("Audit", "Deny", "Warn");
    private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");
    private static final int MAX_ANNOTATIONS = 20;
    private static final int MAX_EXPRESSION = 5 * 1024;

    private AdmissionPolicyRules() {}

    /** Validates a policy that checks objects. */
    public static void validating(FieldCursor policy) {
        FieldCursor spec = policy.at("spec");
        RequestExpressionRules expressions = expressions(spec);
        match(spec, false, expressions);
        FieldCursor validations = spec.at("validations");
        FieldCursor annotations = spec.at("auditAnnotations");
        if (validations.isEmpty() && annotations.isEmpty()) {
            validations.required(NEITHER);
            annotations.required(NEITHER);
            return;
        }
        validations.each(validation -> validation(validation, expressions));
        if (annotations.array().size() > MAX_ANNOTATIONS) {
            annotations.invalid("must not have more than " + MAX_ANNOTATIONS + " auditAnnotations");
        }
        Set<String> keys = new HashSet<>();
        annotations.each(annotation -> {
            annotation(annotation, policy.at("metadata", "name").text(), expressions);
            if (!keys.add(annotation.at("key").text())) {
                annotation.at("key").holdingText().duplicate();
            }
        });
    }

    /** Validates a policy that changes objects. */
    public static void mutating(FieldCursor policy) {
        FieldCursor spec = policy.at("spec");
        RequestExpressionRules expressions = expressions(spec);
        match(spec, true, expressions);
        spec.at("mutations").require("mutations must contain at least one item");
        spec.at("mutations").each(mutation -> mutation(mutation, expressions));
        spec.at("reinvocationPolicy").requireOneOf(WebhookRules.REINVOCATION_POLICIES);
    }

    private static RequestExpressionRules expressions(FieldCursor spec) {
        return new RequestExpressionRules(
                spec.at("paramKind").isSet(), !spec.at("variables").isEmpty());
    }

    private static void match(FieldCursor spec, boolean changes, RequestExpressionRules expressions) {
        spec.at("failurePolicy").holdingText().oneOf(WebhookRules.FAILURE_POLICIES);
        spec.at("paramKind").ifSet(AdmissionPolicyRules::parameterKind);
        FieldCursor constraints = spec.at("matchConstraints");
        if (constraints.isSet()) {
            MatchRules.resourcesOf(constraints);
            constraints.at("resourceRules").require();
        } else {
            constraints.required("");
        }
        if (changes) {
            MatchRules.changes(constraints);
        }
        MatchRules.conditions(spec.at("matchConditions"), expressions);
        spec.at("variables").each(variable -> variable(variable, expressions));
    }

    private static void parameterKind(FieldCursor kind) {
        FieldCursor version = kind.at("apiVersion");
        if (version.require()) {
            String[] parts = version.text().split("/", -1);
            if (parts.length > 2) {
                version.invalid("unexpected GroupVersion string: " + version.text());
            } else {
                groupVersion(version, parts.length == 2 ? parts[0] : "", parts[parts.length - 1]);
            }
        }
        FieldCursor name = kind.at("kind");
        if (name.require()) {
            List<String> problems = NameValidation.dns1035Label(name.text().toLowerCase(Locale.ROOT));
            if (!problems.isEmpty()) {
                name.invalid("may have mixed case, but should otherwise match: " + String.join(",", problems));
            }
        }
    }

    private static void groupVersion(FieldCursor field, String group, String version) {
        if (!group.isEmpty()) {
            joined(field.holding(new JsonString(group)), NameValidation.dns1123Subdomain(group));
        }
        if (version.isEmpty()) {
            field.invalid("version must be specified");
        } else {
            joined(field.holding(new JsonString(version)), NameValidation.dns1035Label(version));
        }
    }

    private static void joined(FieldCursor field, List<String> problems) {
        if (!problems.isEmpty()) {
            field.invalid(String.join(",", problems));
        }
    }

    private static void variable(FieldCursor variable, RequestExpressionRules expressions) {
        FieldCursor name = variable.at("name");
        if (name.text().isBlank()) {
            name.required("name is not specified");
        } else if (!IDENTIFIER.matcher(name.text()).matches() || ExpressionCompiler.RESERVED.contains(name.text())) {
            name.invalid("must be a valid CEL identifier");
        }
        if (expression(variable.at("expression"), "expression is not specified")) {
            expressions.variable(name.text(), variable.at("expression"));
        }
    }

    /** Returns whether there is an expression. */
    private static boolean expression(FieldCursor expression, String detail) {
        boolean missing = expression.text().isBlank();
        if (missing) {
            expression.required(detail);
        }
        return !missing;
    }

    private static void validation(FieldCursor validation, RequestExpressionRules expressions) {
        if (expression(validation.at("expression"), "expression is not specified")) {
            expressions.validation(validation.at("expression"));
        }
        FieldCursor messageExpression = validation.at("messageExpression");
        if (!messageExpression.isEmpty() && messageExpression.text().isBlank()) {
            messageExpression.invalid("must be non-empty if specified");
        } else if (!messageExpression.isEmpty()) {
            expressions.message(messageExpression);
        }
        FieldCursor message = validation.at("message");
        String text = message.text().strip();
        if (!message.isEmpty() && text.isEmpty()) {
            message.invalid("must be non-empty if specified");
        } else if (text.contains("\n") || text.contains("\r")) {
            message.invalid("must not contain line breaks");
        }
        validation.at("reason").oneOfIfSet(REASONS);
    }

    private static void annotation(FieldCursor annotation, String policy, RequestExpressionRules expressions) {
        FieldCursor key = annotation.at("key").holdingText();
        if (policy.isEmpty()) {
            key.invalid("requires metadata.name be non-empty");
        } else {
            key.holding(new JsonString(policy + "/" + key.text())).follows(NameValidation::qualifiedName);
        }
        FieldCursor value = annotation.at("valueExpression");
        boolean present = expression(value, "valueExpression is not specified");
        if (value.text().strip().length() > MAX_EXPRESSION) {
            value.required("must not exceed " + MAX_EXPRESSION + " bytes in length");
        } else if (present) {
            expressions.annotation(value);
        }
    }

    private static void mutation(FieldCursor mutation, RequestExpressionRules expressions) {
        String type = mutation.at("patchType").text();
        switch (type) {
            case "" -> mutation.at("patchType").required("");
            case "JSONPatch" -> patch(mutation, "jsonPatch", "applyConfiguration", expressions);
            case "ApplyConfiguration" -> patch(mutation, "applyConfiguration", "jsonPatch", expressions);
            default -> mutation.at("patchType").notSupported(List.of("ApplyConfiguration", "JSONPatch"));
        }
    }

    private static void patch(FieldCursor mutation, String mine, String other, RequestExpressionRules expressions) {
        String type = mutation.at("patchType").text();
        if (mutation.at(mine).isSet()) {
            if (expression(mutation.at(mine, "expression"), "")) {
                expressions.change(mutation.at(mine, "expression"), type.equals("JSONPatch"));
            }
        } else {
            mutation.at(mine).required("must be specified when patchType is " + type);
        }
        if (mutation.at(other).isSet()) {
            mutation.at(other)
                    .holding(new JsonString("{" + other + "}"))
                    .invalid("must not be specified when patchType is " + type);
        }
    }

    /** Validates the binding of a policy that checks objects. */
    public static void validatingBinding(FieldCursor binding) {
        binding(binding.at("spec"), binding.at("spec", "policyName").declared());
        FieldCursor actions = binding.at("spec", "validationActions");
        Set<String> seen = new HashSet<>();
        actions.each(action -> {
            action.holdingText().oneOf(ACTIONS);
            if (!seen.add(action.text())) {
                action.duplicate();
            }
        });
        if (seen.contains("Deny") && seen.contains("Warn")) {
            actions.invalid(
                    "must not contain both Deny and Warn (repeating the same validation failure information in the"
                            + " API response and headers serves no purpose)");
        }
        actions.declared().require();
    }

    /** Validates the binding of a policy that changes objects. */
    public static void mutatingBinding(FieldCursor binding) {
        binding(binding.at("spec"), binding.at("spec", "policyName"));
        MatchRules.changes(binding.at("spec", "matchResources"));
    }

    private static void binding(FieldCursor spec, FieldCursor required) {
        if (required.require()) {
            spec.at("policyName").follows(NameValidation::dns1123Subdomain);
        }
        spec.at("paramRef").ifSet(AdmissionPolicyRules::parameter);
        MatchRules.resourcesOf(spec.at("matchResources"));
    }

    private static void parameter(FieldCursor parameter) {
        FieldCursor name = parameter.at("name");
        FieldCursor selector = parameter.at("selector");
        boolean both = !name.isEmpty() && selector.isSet();
        name.followsIfSet(text -> Names.pathSegment(text, false));
        if (both) {
            name.forbidden(EXCLUSIVE);
        }
        SelectorRules.selector(selector);
        if (both) {
            selector.forbidden(EXCLUSIVE);
        }
        if (name.isEmpty() && !selector.isSet()) {
            parameter.required("one of name or selector must be specified");
        }
        parameter.at("parameterNotFoundAction").requireOneOf(List.of("Deny", "Allow"));
    }

    /** Validates the change of the status of a policy. */
    public static void statusUpdate(FieldCursor policy, FieldCursor old, Part part) {
        if (part != Part.STATUS) {
            return;
        }
        policy.at("status", "typeChecking", "expressionWarnings").each(warning -> {
            warning.at("warning").require();
            if (warning.at("fieldRef").text().isBlank()) {
                warning.at("fieldRef").required("");
            }
        });
        DisruptionRules.conditions(policy.at("status", "conditions"));
    }
}
