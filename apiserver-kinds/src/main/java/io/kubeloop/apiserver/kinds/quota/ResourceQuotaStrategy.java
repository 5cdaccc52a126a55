package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.api.Quantity;
import io.kubeloop.apiserver.kinds.validation.Amounts;
import io.kubeloop.apiserver.kinds.validation.Quantities;
import io.kubeloop.apiserver.machinery.FieldErrors;
import io.kubeloop.apiserver.machinery.RestStrategy;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/** The strategy of quotas (upstream: {@code pkg/registry/core/resourcequota}, {@code ValidateResourceQuota}). */
public final class ResourceQuotaStrategy implements RestStrategy {

    private static final List<List<String>> AMOUNTS =
            List.of(List.of("spec", "hard"), List.of("status", "hard"), List.of("status", "used"));

    /** Quantities may arrive as numbers; they are stored as strings. */
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
        QuotaScopeRules rules = new QuotaScopeRules(spec, errors);
        rules.scopes();
        rules.selector();
    }

    private static void amounts(String path, JsonObject amounts, FieldErrors errors) {
        amounts.members().forEach((name, value) -> {
            String field = path + "[" + name + "]";
            ResourceNames.validate(field, name, false, errors);
            if (name.indexOf('/') < 0 && !QuotaUsage.isStandard(name)) {
                errors.invalid(field, name, "must be a standard resource for quota");
            }
            Quantity amount = Quantities.of(value);
            if (amount.signum() < 0) {
                errors.invalid(field, value, "must be greater than or equal to 0");
            }
            boolean whole = QuotaUsage.WHOLE.contains(name) || ResourceNames.isExtended(name);
            if (whole && amount.amount().remainder(BigDecimal.ONE).signum() != 0) {
                errors.invalid(field, value, "must be an integer");
            }
        });
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
