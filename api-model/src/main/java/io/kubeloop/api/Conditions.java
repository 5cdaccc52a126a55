/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and sets the conditions of a status (upstream: {@code apimachinery/pkg/api/meta.SetStatusCondition} and its
 * companions). Stateless.
 *
 * <p>{@link #set} returns an equal list when nothing has changed, so a sync that compares the status before and after
 * writes nothing then.
 */
public final class Conditions {

    private Conditions() {}

    /** Returns the condition of this type; null if there is none. O(n) in the number of conditions. */
    public static @Nullable Condition find(List<Condition> conditions, String type) {
        for (Condition condition : conditions) {
            if (condition.type().equals(type)) {
                return condition;
            }
        }
        return null;
    }

    /** Returns whether the condition of this type exists and its status is {@code True}. */
    public static boolean isTrue(List<Condition> conditions, String type) {
        Condition found = find(conditions, type);
        return found != null && found.isTrue();
    }

    /**
     * Returns the conditions with this one, at its present place or at the end. Other conditions stay as they are.
     *
     * @param wanted the condition. If its {@code lastTransitionTime} is null, the time is that of the present condition
     *     of the same status, or {@code now} if the status changes
     * @param now the present time; fractions of a second are dropped
     */
    public static List<Condition> set(List<Condition> conditions, Condition wanted, Instant now) {
        Condition present = find(conditions, wanted.type());
        Condition timed = wanted.lastTransitionTime() != null
                ? wanted
                : ConditionBuilder.builder(wanted)
                        .lastTransitionTime(transition(present, wanted, now))
                        .build();
        List<Condition> result = new ArrayList<>(conditions);
        if (present == null) {
            result.add(timed);
        } else {
            result.set(result.indexOf(present), timed);
        }
        return List.copyOf(result);
    }

    private static Time transition(@Nullable Condition present, Condition wanted, Instant now) {
        if (present == null || !present.status().equals(wanted.status())) {
            return new Time(now);
        }
        Time since = present.lastTransitionTime();
        return since == null ? new Time(now) : since;
    }

    /** Returns the conditions without those of this type. */
    public static List<Condition> remove(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> !condition.type().equals(type))
                .toList();
    }
}
