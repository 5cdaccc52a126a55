package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.Quantity;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Quotas of namespaces (upstream: {@code pkg/registry/core/resourcequota}, {@code ValidateResourceQuota}). */
final class ResourceQuotaStrategy implements RestStrategy {

    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

    private static final List<List<String>> AMOUNTS =
            List.of(List.of("spec", "hard"), List.of("status", "hard"), List.of("status", "used"));

    /** Two that no pod matches both of. */
    private static final List<List<String>> CONFLICTING =
            List.of(List.of("BestEffort", "NotBestEffort"), List.of("Terminating", "NotTerminating"));

    private static final Set<String> SCOPES = Set.of(
            "Terminating",
            "NotTerminating",
            "BestEffort",
            "NotBestEffort",
            "PriorityClass",
            "CrossNamespacePodAffinity",
            "VolumeAttributesClass");

    /** Amounts may come as numbers; they are kept as texts. */
    @Override
    public JsonObject defaults(JsonObject object) {
        JsonObject defaulted = object;
        for (List<String> path : AMOUNTS) {
            JsonObject amounts = object.object(path.toArray(String[]::new));
            defaulted = amounts.isEmpty()
                    ? defaulted
                    : defaulted.with(path, Amounts.read(amounts).json());
        }
        return defaulted;
    }

    @Override
    public boolean hasStatus() {
        return true;
    }

    @Override
    public void validate(JsonObject object, FieldErrors errors) {
        JsonObject spec = object.object("spec");
        for (List<String> path : AMOUNTS) {
            amounts(String.join(".", path), object.object(path.toArray(String[]::new)), errors);
        }
        scopes(spec, errors);
        selector(spec, errors);
    }

    private static void amounts(String path, JsonObject amounts, FieldErrors errors) {
        amounts.members().forEach((name, value) -> {
            String field = path + "[" + name + "]";
            errors.invalid(field, name, NameValidation.qualifiedName(name));
            if (name.indexOf('/') < 0 && !isStandard(name)) {
                errors.invalid(field, name, "must be a standard resource for quota");
            }
            Quantity amount = Quantities.of(value);
            if (amount.signum() < 0) {
                errors.invalid(field, value, "must be greater than or equal to 0");
            }
            if (QuotaUsage.WHOLE.contains(name)
                    && amount.amount().remainder(BigDecimal.ONE).signum() != 0) {
                errors.invalid(field, value, "must be an integer");
            }
        });
    }

    private static boolean isStandard(String name) {
        return QuotaUsage.STANDARD.contains(name)
                || name.startsWith("hugepages-")
                || name.startsWith("requests.hugepages-");
    }

    private static void scopes(JsonObject spec, FieldErrors errors) {
        JsonArray scopes = spec.array("scopes");
        List<String> named = scopes.strings().toList();
        for (String scope : named) {
            if (!SCOPES.contains(scope)) {
                errors.invalid("spec.scopes", scopes, "unsupported scope");
            }
            for (String resource : spec.object("hard").members().keySet()) {
                if (!isApplicable(scope, resource)) {
                    errors.invalid("spec.scopes", scopes, "unsupported scope applied to resource");
                }
            }
        }
        for (List<String> pair : CONFLICTING) {
            if (named.containsAll(pair)) {
                errors.invalid("spec.scopes", scopes, "conflicting scopes");
            }
        }
    }

    /** Scopes are about pods, and those that ask for nothing can only be counted. */
    private static boolean isApplicable(String scope, String resource) {
        return switch (scope) {
            case "BestEffort" -> resource.equals("pods") || !isStandard(resource);
            case "Terminating", "NotTerminating", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity" ->
                QuotaUsage.isOfPods(resource) || !isStandard(resource);
            default -> true;
        };
    }

    private static void selector(JsonObject spec, FieldErrors errors) {
        String path = "spec.scopeSelector.matchExpressions";
        JsonObject selector = spec.object("scopeSelector");
        Set<String> named = new HashSet<>();
        selector.array("matchExpressions").objects().forEach(requirement -> {
            String scope = requirement.string("scopeName");
            String operator = requirement.string("operator");
            JsonArray values = requirement.array("values");
            named.add(scope);
            if (!SCOPES.contains(scope)) {
                errors.invalid(path + ".scopeName", scope, "unsupported scope");
            }
            for (String resource : spec.object("hard").members().keySet()) {
                if (!isApplicable(scope, resource)) {
                    errors.invalid(path, selector, "unsupported scope applied to resource");
                }
            }
            if (SCOPES.contains(scope)
                    && !scope.equals("PriorityClass")
                    && !scope.equals("VolumeAttributesClass")
                    && !operator.equals("Exists")) {
                errors.invalid(path + ".operator", operator, "must be 'Exists' for this scope");
            }
            if (!OPERATORS.contains(operator)) {
                errors.invalid(path + ".operator", operator, "not a valid selector operator");
            } else if (operator.endsWith("In") && values.isEmpty()) {
                errors.required(path + ".values", "must be at least one value when `operator` is 'In' or 'NotIn'");
            } else if (!operator.endsWith("In") && !values.isEmpty()) {
                errors.invalid(
                        path + ".values", values, "must be no value when `operator` is 'Exists' or 'DoesNotExist'");
            }
        });
        for (List<String> pair : CONFLICTING) {
            if (named.containsAll(pair)) {
                errors.invalid(path, selector, "conflicting scopes");
            }
        }
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        JsonArray scopes = object.object("spec").array("scopes");
        if (!scopes.strings()
                .collect(Collectors.toSet())
                .equals(old.object("spec").array("scopes").strings().collect(Collectors.toSet()))) {
            errors.invalid("spec.scopes", scopes, "field is immutable");
        }
    }
}
