/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.quota.QuotaUsage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Validation of the scopes of a quota (upstream: {@code validateResourceQuotaScopes}, {@code
 * validateScopeSelector}). Confined to the thread that validates.
 */
final class QuotaScopeRules {

    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

    /** Pairs of scopes that exclude each other. */
    private static final List<List<String>> CONFLICTING =
            List.of(List.of("BestEffort", "NotBestEffort"), List.of("Terminating", "NotTerminating"));

    /** Scopes that take no values. */
    private static final Set<String> PLAIN =
            Set.of("Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "CrossNamespacePodAffinity");

    private static final Set<String> COMPUTE =
            Set.of("cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory");

    private static final String PATH = "spec.scopeSelector.matchExpressions";

    private final JsonObject spec;
    private final FieldErrors errors;

    QuotaScopeRules(JsonObject spec, FieldErrors errors) {
        this.spec = spec;
        this.errors = errors;
    }

    void scopes() {
        JsonArray scopes = spec.array("scopes");
        List<String> named = scopes.strings().toList();
        for (String scope : named) {
            if (!isKnown(scope)) {
                errors.invalid("spec.scopes", scopes, "unsupported scope");
            }
            applicable("spec.scopes", scopes, scope);
        }
        conflicts("spec.scopes", Set.copyOf(named));
    }

    void selector() {
        Set<String> named = new HashSet<>();
        spec.object("scopeSelector").array("matchExpressions").objects().forEach(requirement -> {
            String scope = requirement.string("scopeName");
            named.add(scope);
            if (!isKnown(scope)) {
                errors.invalid(PATH + ".scopeName", scope, "unsupported scope");
            }
            applicable(PATH, shownSelector(), scope);
            operator(scope, requirement.string("operator"), requirement.array("values"));
        });
        conflicts(PATH, named);
    }

    private void operator(String scope, String operator, JsonArray values) {
        if (PLAIN.contains(scope) && !operator.equals("Exists")) {
            errors.invalid(
                    PATH + ".operator",
                    operator,
                    "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
                            + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
                            + " ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity");
        }
        if (!OPERATORS.contains(operator)) {
            errors.invalid(PATH + ".operator", operator, "not a valid selector operator");
        } else if (operator.endsWith("In") && values.isEmpty()) {
            errors.required(
                    PATH + ".values",
                    "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
        } else if (!operator.endsWith("In") && !values.isEmpty()) {
            errors.invalid(
                    PATH + ".values",
                    values,
                    "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
        }
    }

    private void applicable(String path, JsonValue shown, String scope) {
        for (String resource : spec.object("hard").members().keySet()) {
            if (QuotaUsage.isStandard(resource) && !isApplicable(scope, resource)) {
                errors.invalid(path, shown, "unsupported scope applied to resource");
            }
        }
    }

    private void conflicts(String path, Set<String> named) {
        for (List<String> pair : CONFLICTING) {
            if (named.containsAll(pair)) {
                JsonValue shown = spec.get("scopes");
                errors.invalid(path, shown == null ? JsonNull.NULL : shown, "conflicting scopes");
            }
        }
    }

    private static boolean isKnown(String scope) {
        return PLAIN.contains(scope) || scope.equals("PriorityClass") || scope.equals("VolumeAttributesClass");
    }

    /** Scopes apply to pods or claims; with the scope for best-effort pods, only the number of pods can be limited. */
    private static boolean isApplicable(String scope, String resource) {
        return switch (scope) {
            case "BestEffort" -> resource.equals("pods");
            case "VolumeAttributesClass" -> QuotaUsage.OF_CLAIMS.contains(resource);
            default -> !isKnown(scope) || resource.equals("pods") || COMPUTE.contains(resource);
        };
    }

    /** Upstream's message shows the selector in its internal form. */
    private JsonObject shownSelector() {
        List<JsonObject> requirements = spec.object("scopeSelector")
                .array("matchExpressions")
                .objects()
                .map(requirement -> JsonObject.builder()
                        .put("ScopeName", requirement.string("scopeName"))
                        .put("Operator", requirement.string("operator"))
                        .put("Values", requirement.has("values") ? requirement.array("values") : JsonNull.NULL)
                        .build())
                .toList();
        return JsonObject.of("MatchExpressions", JsonArray.of(requirements));
    }
}
