/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.batch.PodFailurePolicy;
import io.kubeloop.api.core.ContainerState;
import io.kubeloop.api.core.ContainerStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodCondition;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rule of a {@link PodFailurePolicy} that a failed pod matches (upstream: {@code matchPodFailurePolicy}).
 * Stateless.
 */
final class PodFailureRules {

    private PodFailureRules() {}

    /** The effect of a failed pod. */
    enum Action {
        /** The failure counts. */
        COUNT("Count"),
        /** The failure does not count. */
        IGNORE("Ignore"),
        /** The failure counts, and the pod's index fails. */
        FAIL_INDEX("FailIndex"),
        /** The failure counts, and the job fails. */
        FAIL_JOB("FailJob");

        private final String text;

        Action(String text) {
            this.text = text;
        }

        /** Returns the name in rules and metrics. */
        String text() {
            return text;
        }

        /** Returns the action of this name; null for an unknown action, whose rule is skipped. */
        private static @Nullable Action of(String text) {
            return Arrays.stream(values())
                    .filter(action -> action.text.equals(text))
                    .findFirst()
                    .orElse(null);
        }
    }

    /**
     * The outcome for one pod.
     *
     * @param action the action; null if no rule matches, so the failure counts
     * @param message why the job fails; empty for every other action
     */
    record Outcome(@Nullable Action action, String message) {

        private static final Outcome UNMATCHED = new Outcome(null, "");

        boolean counts() {
            return action != Action.IGNORE;
        }
    }

    /** Returns the outcome of the first rule that the pod matches; a pod that matches none counts. */
    static Outcome outcome(@Nullable PodFailurePolicy policy, Pod pod) {
        if (policy == null) {
            return Outcome.UNMATCHED;
        }
        List<PodFailurePolicy.Rule> rules = policy.rules();
        for (int i = 0; i < rules.size(); i++) {
            String match = match(rules.get(i), pod);
            Action action = match == null ? null : Action.of(rules.get(i).action());
            if (action == Action.FAIL_JOB) {
                return new Outcome(action, match + " matching FailJob rule at index " + i);
            } else if (action != null) {
                return new Outcome(action, "");
            }
        }
        return Outcome.UNMATCHED;
    }

    /** Returns a description of the part of the pod that matches the rule; null if none does. */
    private static @Nullable String match(PodFailurePolicy.Rule rule, Pod pod) {
        String name = pod.metadata().namespace() + "/" + pod.metadata().name();
        PodFailurePolicy.ExitCodes codes = rule.onExitCodes();
        if (codes == null) {
            PodCondition condition = matchingCondition(pod, rule.onPodConditions());
            return condition == null ? null : "Pod " + name + " has condition " + condition.type();
        }
        return Stream.concat(pod.status().containerStatuses().stream(), pod.status().initContainerStatuses().stream())
                .filter(status -> matches(status, codes))
                .findFirst()
                .map(status -> "Container " + status.name() + " for pod " + name + " failed with exit code "
                        + exitCode(status))
                .orElse(null);
    }

    private static @Nullable PodCondition matchingCondition(Pod pod, List<PodFailurePolicy.ConditionPattern> patterns) {
        return pod.status().conditions().stream()
                .filter(condition -> patterns.stream()
                        .anyMatch(pattern -> pattern.type().equals(condition.type())
                                && pattern.status().equals(condition.status())))
                .findFirst()
                .orElse(null);
    }

    private static boolean matches(ContainerStatus status, PodFailurePolicy.ExitCodes codes) {
        int code = exitCode(status);
        String container = codes.containerName();
        if (code == 0 || (container != null && !container.equals(status.name()))) {
            return false;
        }
        return switch (codes.operator()) {
            case "In" -> codes.values().contains(code);
            case "NotIn" -> !codes.values().contains(code);
            default -> false;
        };
    }

    /** Returns the exit code of the container; 0 if it has not ended. */
    private static int exitCode(ContainerStatus status) {
        ContainerState state = status.state();
        ContainerState.Terminated terminated = state == null ? null : state.terminated();
        return terminated == null ? 0 : terminated.exitCode();
    }
}
