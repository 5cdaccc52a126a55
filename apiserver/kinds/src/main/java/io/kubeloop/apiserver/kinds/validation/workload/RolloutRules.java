/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.workload;

import com.google.re2j.Pattern;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonString;
import java.util.List;

/** Validation of the way in which a workload replaces its pods, and of numbers that may be percentages. */
public final class RolloutRules {

    private static final String ROLLING = "RollingUpdate";
    private static final String ROLLING_FIELD = "rollingUpdate";
    private static final String RECREATE = "Recreate";
    private static final String ON_DELETE = "OnDelete";
    private static final String UNAVAILABLE = "maxUnavailable";
    private static final String SURGE = "maxSurge";

    private static final Pattern PERCENT = Pattern.compile("[0-9]+%");
    private static final String NO_PERCENT = "a valid percent string must be a numeric string followed by an ending '%'"
            + " (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

    private RolloutRules() {}

    /** Adds an error unless the field is a count or a percentage. */
    public static void countOrPercentage(FieldCursor field) {
        if (!(field.value() instanceof JsonString)) {
            field.nonNegative();
        } else if (!isPercentage(field)) {
            field.invalid(NO_PERCENT);
        }
    }

    /** Adds an error for a percentage of more than 100. */
    public static void atMostAll(FieldCursor field) {
        if (isPercentage(field) && number(field) > 100) {
            field.invalid("must not be greater than 100%");
        }
    }

    private static boolean isPercentage(FieldCursor field) {
        return field.value() instanceof JsonString text
                && PERCENT.matcher(text.value()).matches();
    }

    /** Returns the number, or the number before the percent sign; 0 if there is none. */
    private static long number(FieldCursor field) {
        if (field.value() instanceof JsonNumber) {
            return field.number();
        }
        String text = field.text();
        try {
            return Long.parseLong(isPercentage(field) ? text.substring(0, text.length() - 1) : text);
        } catch (NumberFormatException e) {
            return isPercentage(field) ? Long.MAX_VALUE : 0; // too many digits for a long, or none
        }
    }

    static void deployment(FieldCursor strategy) {
        FieldCursor rolling = strategy.at(ROLLING_FIELD);
        switch (strategy.at("type").text()) {
            case RECREATE -> rolling.mustBeAbsent("may not be specified when strategy `type` is '" + RECREATE + "'");
            case ROLLING -> {
                FieldCursor unavailable = rolling.at(UNAVAILABLE);
                countOrPercentage(unavailable);
                countOrPercentage(rolling.at(SURGE));
                if (number(unavailable) == 0 && number(rolling.at(SURGE)) == 0) {
                    unavailable.invalid("may not be 0 when `maxSurge` is 0");
                }
                atMostAll(unavailable);
            }
            default ->
                InternalForm.shown("apps.v1.DeploymentStrategy", strategy).notSupported(List.of(RECREATE, ROLLING));
        }
    }

    static void daemonSet(FieldCursor strategy) {
        FieldCursor rolling = strategy.at(ROLLING_FIELD);
        switch (strategy.at("type").text()) {
            case ON_DELETE -> {}
            case ROLLING -> {
                if (rolling.isSet()) {
                    daemonSetBounds(rolling.at(UNAVAILABLE), rolling.at(SURGE));
                } else {
                    rolling.required("");
                }
            }
            default ->
                InternalForm.shown("apps.v1.DaemonSetUpdateStrategy", strategy)
                        .notSupported(List.of(ROLLING, ON_DELETE));
        }
    }

    private static void daemonSetBounds(FieldCursor unavailable, FieldCursor surge) {
        countOrPercentage(unavailable);
        countOrPercentage(surge);
        atMostAll(unavailable);
        atMostAll(surge);
        boolean hasUnavailable = number(unavailable) != 0;
        boolean hasSurge = number(surge) != 0;
        if (hasUnavailable && hasSurge) {
            surge.invalid("may not be set when maxUnavailable is non-zero");
        } else if (!hasUnavailable && !hasSurge) {
            unavailable.required("cannot be 0 when maxSurge is 0");
        }
    }

    static void statefulSet(FieldCursor strategy) {
        FieldCursor rolling = strategy.at(ROLLING_FIELD);
        switch (strategy.at("type").text()) {
            case "" -> strategy.required("");
            case ON_DELETE -> {
                if (rolling.isSet()) {
                    InternalForm.shown("apps.v1.RollingUpdateStatefulSetStrategy", rolling)
                            .invalid("only allowed for updateStrategy '" + ROLLING + "'");
                }
            }
            case ROLLING -> {
                rolling.at("partition").nonNegative();
                rolling.at(UNAVAILABLE).ifSet(unavailable -> {
                    countOrPercentage(unavailable);
                    if (number(unavailable) == 0) {
                        unavailable.invalid("cannot be 0");
                    }
                    atMostAll(unavailable);
                });
            }
            default ->
                InternalForm.shown("apps.v1.StatefulSetUpdateStrategy", strategy)
                        .invalid("must be '" + ROLLING + "' or '" + ON_DELETE + "'");
        }
    }
}
