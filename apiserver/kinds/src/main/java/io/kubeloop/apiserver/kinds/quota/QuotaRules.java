/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.quota;

import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.kinds.validation.AmountRules;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.quota.QuotaUsage;
import java.util.List;
import java.util.stream.Collectors;

/** Validation of quotas (upstream: {@code ValidateResourceQuota}). */
public final class QuotaRules {

    private static final List<List<String>> AMOUNTS =
            List.of(List.of("spec", "hard"), List.of("status", "hard"), List.of("status", "used"));

    private QuotaRules() {}

    /** Validates a quota. */
    public static void quota(FieldCursor quota) {
        JsonObject object = quota.object();
        FieldErrors errors = quota.errors();
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
            if (whole && !AmountRules.isWhole(amount)) {
                errors.invalid(field, value, "must be an integer");
            }
        });
    }

    /** Validates the change of a quota: the order of its scopes may change. */
    public static void update(FieldCursor quota, FieldCursor old, Part part) {
        FieldCursor scopes = quota.at("spec", "scopes");
        if (!scopes.array()
                .strings()
                .collect(Collectors.toSet())
                .equals(old.at("spec", "scopes").array().strings().collect(Collectors.toSet()))) {
            scopes.invalid("field is immutable");
        }
    }
}
