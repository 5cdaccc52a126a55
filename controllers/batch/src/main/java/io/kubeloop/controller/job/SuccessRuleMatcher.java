/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.batch.SuccessPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rule of a {@link SuccessPolicy} that the succeeded indexes meet (upstream: {@code matchSuccessPolicy}).
 * Stateless.
 */
final class SuccessRuleMatcher {

    private SuccessRuleMatcher() {}

    /** Returns the message about the first rule that is met, or null. */
    static @Nullable String firstMet(@Nullable SuccessPolicy policy, int completions, IndexIntervals succeeded) {
        if (policy == null || succeeded.intervals().isEmpty()) {
            return null;
        }
        List<SuccessPolicy.SucceededRule> rules = policy.rules();
        for (int i = 0; i < rules.size(); i++) {
            if (isMet(rules.get(i), completions, succeeded)) {
                return "Matched rules at index " + i;
            }
        }
        return null;
    }

    private static boolean isMet(SuccessPolicy.SucceededRule rule, int completions, IndexIntervals succeeded) {
        Integer enough = rule.succeededCount();
        String indexes = rule.succeededIndexes();
        if (indexes == null) {
            return enough != null && succeeded.total() >= enough;
        }
        IndexIntervals required = IndexIntervals.parse(indexes, completions);
        if (required.intervals().isEmpty()) {
            return false;
        }
        int met = required.inCommon(succeeded);
        return met == required.total() || (enough != null && met >= enough);
    }
}
