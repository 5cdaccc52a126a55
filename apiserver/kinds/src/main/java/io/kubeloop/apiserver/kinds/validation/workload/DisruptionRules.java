/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.workload;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.SelectorRules;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import java.util.List;

/** Validation of PodDisruptionBudgets and of conditions (upstream: {@code pkg/apis/policy/validation}). */
public final class DisruptionRules {

    private static final Pattern REASON = Pattern.compile("[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?");
    private static final String NO_REASON =
            "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric "
                    + "characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or "
                    + "'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for "
                    + "validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";
    private static final int MAX_REASON = 1024;
    private static final int MAX_MESSAGE = 32 * 1024;

    private DisruptionRules() {}

    /** Validates a budget. */
    public static void budget(FieldCursor budget) {
        FieldCursor spec = budget.at("spec");
        FieldCursor least = spec.at("minAvailable");
        FieldCursor most = spec.at("maxUnavailable");
        if (least.isSet() && most.isSet()) {
            InternalForm.shown("policy.v1.PodDisruptionBudgetSpec", spec)
                    .invalid("minAvailable and maxUnavailable cannot be both set");
        }
        for (FieldCursor bound : List.of(least, most)) {
            RolloutRules.countOrPercentage(bound);
            RolloutRules.atMostAll(bound);
        }
        SelectorRules.selector(spec.at("selector"));
        spec.at("unhealthyPodEvictionPolicy").oneOfIfSet(List.of("AlwaysAllow", "IfHealthyBudget"));
    }

    /** Validates the status of a budget. */
    public static void update(FieldCursor budget, FieldCursor old, Part part) {
        if (part == Part.STATUS) {
            FieldCursor status = budget.at("status");
            conditions(status.at("conditions"));
            for (String count : List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")) {
                status.at(count).nonNegative();
            }
        }
    }

    /** Validates a list of conditions of the common type. */
    public static void conditions(FieldCursor conditions) {
        List<FieldCursor> items = conditions.items();
        for (int i = 0; i < items.size(); i++) {
            FieldCursor type = items.get(i).at("type").holdingText();
            if (items.subList(0, i).stream()
                    .anyMatch(earlier -> earlier.at("type").text().equals(type.text()))) {
                type.named(items.get(i).path()).duplicate();
            }
            condition(items.get(i));
        }
    }

    private static void condition(FieldCursor condition) {
        if (condition.at("type").require("is required")) {
            condition.at("type").follows(NameValidation::qualifiedName);
        }
        condition.at("status").requireOneOf(List.of("False", "True", "Unknown"));
        if (condition.at("observedGeneration").number() < 0) {
            condition.at("observedGeneration").invalid("must be greater than or equal to zero");
        }
        condition.at("lastTransitionTime").require();
        FieldCursor reason = condition.at("reason");
        if (reason.require()) {
            if (!REASON.matcher(reason.text()).matches()) {
                reason.invalid(NO_REASON);
            }
            if (reason.text().length() > MAX_REASON) {
                reason.errors().tooLong(reason.path(), MAX_REASON);
            }
        }
        if (condition.at("message").text().length() > MAX_MESSAGE) {
            condition.errors().tooLong(condition.at("message").path(), MAX_MESSAGE);
        }
    }
}
