/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.disruption;

import io.kubeloop.api.Condition;
import io.kubeloop.api.ConditionBuilder;
import io.kubeloop.api.Time;
import io.kubeloop.api.policy.PodDisruptionBudget;
import io.kubeloop.api.policy.PodDisruptionBudgetStatus;
import io.kubeloop.api.policy.PodDisruptionBudgetStatusBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes the statuses of budgets. Stateless. */
final class BudgetStatuses {

    private static final String DISRUPTION_ALLOWED = "DisruptionAllowed";

    private BudgetStatuses() {}

    /** Returns the status of a budget whose pods were counted. A budget that expects no pods allows no disruption. */
    static PodDisruptionBudgetStatus of(
            PodDisruptionBudget budget,
            int healthy,
            int desired,
            int expected,
            Map<String, String> disrupted,
            Time now) {
        int allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
        long generation = budget.metadata().generation();
        Condition condition = ConditionBuilder.builder()
                .type(DISRUPTION_ALLOWED)
                .status(allowed > 0 ? "True" : "False")
                .reason(allowed > 0 ? "SufficientPods" : "InsufficientPods")
                .observedGeneration(generation)
                .build();
        return PodDisruptionBudgetStatusBuilder.builder(budget.status())
                .observedGeneration(generation)
                .disruptedPods(disrupted)
                .disruptionsAllowed(allowed)
                .currentHealthy(healthy)
                .desiredHealthy(desired)
                .expectedPods(expected)
                .conditions(with(budget.status().conditions(), condition, now))
                .build();
    }

    /** Returns whether the budget has this status; the text of its condition does not count. */
    static boolean isUpToDate(PodDisruptionBudget budget, PodDisruptionBudgetStatus status) {
        PodDisruptionBudgetStatus current = budget.status();
        return withoutConditions(current).equals(withoutConditions(status))
                && current.conditions().stream()
                        .anyMatch(one -> status.conditions().stream()
                                .anyMatch(other -> one.type().equals(DISRUPTION_ALLOWED)
                                        && other.type().equals(DISRUPTION_ALLOWED)
                                        && one.status().equals(other.status())
                                        && one.reason().equals(other.reason())
                                        && one.observedGeneration() == other.observedGeneration()));
    }

    private static PodDisruptionBudgetStatus withoutConditions(PodDisruptionBudgetStatus status) {
        return PodDisruptionBudgetStatusBuilder.builder(status)
                .conditions(List.of())
                .build();
    }

    /** Returns the status of a budget that could not be computed: no eviction may be allowed by an old number. */
    static PodDisruptionBudgetStatus failed(PodDisruptionBudgetStatus status, String message, Time now) {
        Condition condition = ConditionBuilder.builder()
                .type(DISRUPTION_ALLOWED)
                .status("False")
                .reason("SyncFailed")
                .message(message)
                .observedGeneration(status.observedGeneration())
                .build();
        return PodDisruptionBudgetStatusBuilder.builder(status)
                .disruptionsAllowed(0)
                .conditions(with(status.conditions(), condition, now))
                .build();
    }

    /**
     * Replaces the condition of the same type; its time stays if the status is the same (upstream: {@code
     * SetStatusCondition}).
     */
    private static List<Condition> with(List<Condition> conditions, Condition wanted, Time now) {
        List<Condition> result = new ArrayList<>();
        Condition added =
                ConditionBuilder.builder(wanted).lastTransitionTime(now).build();
        boolean found = false;
        for (Condition condition : conditions) {
            if (!condition.type().equals(wanted.type())) {
                result.add(condition);
                continue;
            }
            found = true;
            result.add(
                    condition.status().equals(wanted.status())
                            ? ConditionBuilder.builder(wanted)
                                    .lastTransitionTime(condition.lastTransitionTime())
                                    .build()
                            : added);
        }
        if (!found) {
            result.add(added);
        }
        return result;
    }
}
