/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.autoscaling.ScalingBehavior;
import java.time.Duration;
import java.time.Instant;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Limits a recommendation to the number of pods that bounds, stabilization windows and policies allow now (upstream:
 * {@code normalizeDesiredReplicas} and {@code normalizeDesiredReplicasWithBehaviors}).
 *
 * <p>Immutable. Its methods change the history that they receive.
 *
 * @param behavior the windows and policies; null for the defaults of the controller
 * @param min the lower bound
 * @param max the upper bound
 * @param downscaleStabilization the window of decreases if the behavior sets none
 */
record ReplicaLimits(@Nullable ScalingBehavior behavior, int min, int max, Duration downscaleStabilization) {

    /** Without a behavior, one sync at most doubles the number of pods. */
    private static final int MAX_GROWTH = 2;

    /** Without a behavior, one sync may always grow to this number. */
    private static final int FREE_GROWTH = 4;

    private static final Note READY_FOR_SCALE = new Note("ReadyForNewScale", "recommended size matches current size");
    private static final Note UP_STABILIZED = new Note(
            "ScaleUpStabilized",
            "recent recommendations were lower than current one, applying the lowest recent recommendation");
    private static final Note DOWN_STABILIZED = new Note(
            "ScaleDownStabilized",
            "recent recommendations were higher than current one, applying the highest recent recommendation");
    private static final Note WITHIN =
            new Note("DesiredWithinRange", "the desired count is within the acceptable range");
    private static final Note TOO_FEW =
            new Note("TooFewReplicas", "the desired replica count is less than the minimum replica count");
    private static final Note TOO_MANY =
            new Note("TooManyReplicas", "the desired replica count is more than the maximum replica count");
    private static final Note UP_LIMIT =
            new Note("ScaleUpLimit", "the desired replica count is increasing faster than the maximum scale rate");
    private static final Note DOWN_LIMIT =
            new Note("ScaleDownLimit", "the desired replica count is decreasing faster than the maximum scale rate");

    /**
     * Reason and message of a condition.
     *
     * @param reason for programs
     * @param message for people
     */
    record Note(String reason, String message) {}

    /**
     * The allowed number of pods.
     *
     * @param replicas the number
     * @param ableToScale the note of the condition {@code AbleToScale}, which is true
     * @param limited the note of the condition {@code ScalingLimited}
     * @param isLimited whether the bounds or policies changed the stabilized recommendation
     */
    record Allowed(int replicas, Note ableToScale, Note limited, boolean isLimited) {}

    private record Limited(int replicas, Note note) {}

    /** Records the recommendation in the history, and returns the allowed number. O(history and policies). */
    Allowed apply(int current, int recommended, ScalingHistory history, Instant now) {
        int stable;
        Note stabilized;
        Limited limited;
        if (behavior == null) {
            stable = history.stabilize(recommended, downscaleStabilization, now);
            stabilized = DOWN_STABILIZED;
            limited = bounded(current, stable);
        } else {
            stable = stabilized(behavior, current, recommended, history, now);
            stabilized = recommended >= current ? UP_STABILIZED : DOWN_STABILIZED;
            limited = byPolicies(behavior, current, stable, history, now);
        }
        return new Allowed(
                limited.replicas(),
                stable == recommended ? READY_FOR_SCALE : stabilized,
                limited.note(),
                limited.replicas() != stable);
    }

    /** Applies the bounds and the growth limit of autoscalers without a behavior. */
    private Limited bounded(int current, int desired) {
        int growth = (int) Math.max((long) MAX_GROWTH * current, FREE_GROWTH);
        int most = Math.min(max, growth);
        if (desired < min) {
            return new Limited(min, TOO_FEW);
        }
        return desired > most ? new Limited(most, max > growth ? UP_LIMIT : TOO_MANY) : new Limited(desired, WITHIN);
    }

    private int stabilized(ScalingBehavior rules, int current, int recommended, ScalingHistory history, Instant now) {
        Integer upWindow = rules(rules.scaleUp()).stabilizationWindowSeconds();
        Integer downWindow = rules(rules.scaleDown()).stabilizationWindowSeconds();
        ScalingHistory.Bounds bounds = history.stabilize(
                recommended,
                Duration.ofSeconds(upWindow == null ? 0 : upWindow),
                downWindow == null ? downscaleStabilization : Duration.ofSeconds(downWindow),
                now);
        return Math.min(Math.max(current, bounds.lowest()), bounds.highest());
    }

    /** The API server sets the rules of both directions. */
    static ScalingBehavior.Rules rules(ScalingBehavior.@Nullable Rules rules) {
        return rules == null ? ScalingBehavior.Rules.EMPTY : rules;
    }

    /**
     * Applies the policies and the bound of the direction. A change since the period's start may already exceed the
     * policy.
     */
    private Limited byPolicies(ScalingBehavior rules, int current, int desired, ScalingHistory history, Instant now) {
        if (desired > current) {
            int limit = Math.max(current, upLimit(rules(rules.scaleUp()), current, history, now));
            int most = Math.min(max, limit);
            if (desired > most) {
                return new Limited(most, max > limit ? UP_LIMIT : TOO_MANY);
            }
        } else if (desired < current) {
            int limit = Math.min(current, downLimit(rules(rules.scaleDown()), current, history, now));
            int least = Math.max(min, limit);
            if (desired < least) {
                return new Limited(least, min < limit ? DOWN_LIMIT : TOO_FEW);
            }
        }
        return new Limited(desired, WITHIN);
    }

    /** Returns the number that an increase may reach; it can be less than the current number. */
    static int upLimit(ScalingBehavior.Rules rules, int current, ScalingHistory history, Instant now) {
        return switch (rules.selectPolicy()) {
            case "Disabled" -> current;
            case "Min" ->
                rules.policies().stream()
                        .mapToInt(increased(current, history, now))
                        .min()
                        .orElse(Integer.MAX_VALUE);
            default ->
                rules.policies().stream()
                        .mapToInt(increased(current, history, now))
                        .max()
                        .orElse(Integer.MIN_VALUE);
        };
    }

    /** Percentages are rounded up, because a small number of pods would otherwise never grow. */
    private static ToIntFunction<ScalingBehavior.Policy> increased(int current, ScalingHistory history, Instant now) {
        return policy -> {
            int start = history.atPeriodStart(current, policy.periodSeconds(), now);
            return policy.type().equals("Percent")
                    ? GoConversions.ceil(start * (1 + (double) policy.value() / 100))
                    : start + policy.value();
        };
    }

    /** Returns the number that a decrease may reach; it can be more than the current number. */
    static int downLimit(ScalingBehavior.Rules rules, int current, ScalingHistory history, Instant now) {
        return switch (rules.selectPolicy()) {
            case "Disabled" -> current;
            case "Min" ->
                rules.policies().stream()
                        .mapToInt(decreased(current, history, now))
                        .max()
                        .orElse(Integer.MIN_VALUE);
            default ->
                rules.policies().stream()
                        .mapToInt(decreased(current, history, now))
                        .min()
                        .orElse(Integer.MAX_VALUE);
        };
    }

    private static ToIntFunction<ScalingBehavior.Policy> decreased(int current, ScalingHistory history, Instant now) {
        return policy -> {
            int start = history.atPeriodStart(current, policy.periodSeconds(), now);
            return policy.type().equals("Percent")
                    ? GoConversions.toInt(start * (1 - (double) policy.value() / 100))
                    : start - policy.value();
        };
    }
}
