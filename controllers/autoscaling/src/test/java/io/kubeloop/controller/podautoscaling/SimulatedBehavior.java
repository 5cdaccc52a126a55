/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import java.time.Duration;
import java.util.Random;
import java.util.function.IntUnaryOperator;

/**
 * A behavior with at most one policy for each direction, and what it allows.
 *
 * @param isSet whether the autoscaler has a behavior
 * @param window the stabilization window of decreases, in seconds
 * @param up the policy of increases
 * @param down the policy of decreases
 */
record SimulatedBehavior(boolean isSet, int window, Policy up, Policy down) {

    /**
     * A policy.
     *
     * @param kind {@code Pods}, {@code Percent} or {@code Disabled}
     */
    record Policy(String kind, int value, int period) {

        private static Policy any(Random random) {
            return switch (random.nextInt(5)) {
                case 0, 1 -> new Policy("Pods", 1 + random.nextInt(4), 15 + random.nextInt(120));
                case 2, 3 -> new Policy("Percent", 10 + random.nextInt(90), 15 + random.nextInt(120));
                default -> new Policy("Disabled", 1, 15);
            };
        }

        private String json() {
            boolean isDisabled = kind.equals("Disabled");
            return "{'selectPolicy':'" + (isDisabled ? "Disabled" : "Max") + "','policies':[{'type':'"
                    + (isDisabled ? "Pods" : kind) + "','value':" + value + ",'periodSeconds':" + period + "}]";
        }
    }

    static SimulatedBehavior any(Random random) {
        return new SimulatedBehavior(
                random.nextInt(3) > 0, random.nextInt(4) * 60, Policy.any(random), Policy.any(random));
    }

    /** Returns the member of the autoscaler's spec, with a comma before it; empty if there is no behavior. */
    String json() {
        return isSet
                ? ",'behavior':{'scaleUp':" + up.json() + "},'scaleDown':" + down.json()
                        + ",'stabilizationWindowSeconds':" + window + "}}"
                : "";
    }

    /** Returns the window that the controller has as an option. */
    Duration controllerWindow() {
        return Duration.ofSeconds(window);
    }

    Duration downWindow() {
        return Duration.ofSeconds(window);
    }

    /**
     * Returns the largest number of pods that the policy of increases allows.
     *
     * @param start returns the number at the begin of a period of so many seconds
     */
    int most(int current, IntUnaryOperator start) {
        int before = start.applyAsInt(up.period());
        return switch (up.kind()) {
            case "Pods" -> before + up.value();
            case "Percent" -> (int) Math.ceil(before * (1 + (double) up.value() / 100));
            default -> current;
        };
    }

    /** Returns the smallest number of pods that the policy of decreases allows; see {@link #most}. */
    int least(int current, IntUnaryOperator start) {
        int before = start.applyAsInt(down.period());
        return switch (down.kind()) {
            case "Pods" -> before - down.value();
            case "Percent" -> (int) (before * (1 - (double) down.value() / 100));
            default -> current;
        };
    }

    boolean forbidsUp() {
        return isSet && up.kind().equals("Disabled");
    }

    boolean forbidsDown() {
        return isSet && down.kind().equals("Disabled");
    }
}
