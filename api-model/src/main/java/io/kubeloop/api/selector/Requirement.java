/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

import io.kubeloop.api.NameValidation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One requirement of a label selector (upstream: {@code labels.Requirement}). An object must fulfill all requirements
 * of a selector.
 *
 * @param key the label
 * @param operator the comparison
 * @param values the values to compare with: at least one, exactly one or none, depending on the operator
 */
public record Requirement(String key, Operator operator, List<String> values) {

    /** Copies the values. It does not validate; {@link #of} does. */
    public Requirement {
        values = List.copyOf(values);
    }

    /**
     * Returns a validated requirement.
     *
     * @throws InvalidSelectorException if the key or a value is not valid in a label, or the number of values does
     *     not fit the operator
     */
    public static Requirement of(String key, Operator operator, List<String> values) {
        checkKey(key);
        String fault = faultOf(operator, values);
        if (fault != null) {
            throw new InvalidSelectorException(fault);
        }
        for (int i = 0; i < values.size(); i++) {
            check(NameValidation.labelValue(values.get(i)), "values[" + i + "][" + key + "]", values.get(i));
        }
        return new Requirement(key, operator, values);
    }

    /**
     * Checks a label key.
     *
     * @throws InvalidSelectorException if it is invalid
     */
    static void checkKey(String key) {
        check(NameValidation.qualifiedName(key), "<nil>", key);
    }

    /** Returns upstream's message about values that do not fit the operator; null if they do. */
    private static @Nullable String faultOf(Operator operator, List<String> values) {
        String shown = "values: Invalid value: [" + String.join(" ", values) + "]: ";
        return switch (operator) {
            case IN, NOT_IN ->
                values.isEmpty() ? shown + "for 'in', 'notin' operators, values set can't be empty" : null;
            case EQUALS, DOUBLE_EQUALS, NOT_EQUALS ->
                values.size() != 1 ? shown + "exact-match compatibility requires one single value" : null;
            case EXISTS, DOES_NOT_EXIST ->
                values.isEmpty() ? null : shown + "values set must be empty for exists and does not exist";
            case GREATER_THAN, LESS_THAN ->
                values.size() != 1
                        ? shown + "for 'Gt', 'Lt' operators, exactly one value is required"
                        : toNumber(values.get(0)) == null
                                ? "values[0]: Invalid value: \"" + values.get(0)
                                        + "\": for 'Gt', 'Lt' operators, the value must be an integer"
                                : null;
        };
    }

    private static void check(List<String> errors, String path, String text) {
        if (!errors.isEmpty()) {
            throw new InvalidSelectorException(
                    path + ": Invalid value: \"" + text + "\": " + String.join("; ", errors));
        }
    }

    /** Returns whether the requirement is equality with one value, with any operator. */
    boolean isEquality() {
        return switch (operator) {
            case EQUALS, DOUBLE_EQUALS, IN -> values.size() == 1;
            default -> false;
        };
    }

    /** Returns whether the labels fulfill this requirement. O(n) in the values. */
    public boolean matches(Map<String, String> labels) {
        String value = labels.get(key);
        return switch (operator) {
            case IN, EQUALS, DOUBLE_EQUALS -> value != null && values.contains(value);
            case NOT_IN, NOT_EQUALS -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case DOES_NOT_EXIST -> value == null;
            case GREATER_THAN -> value != null && compares(value, 1);
            case LESS_THAN -> value != null && compares(value, -1);
        };
    }

    private boolean compares(String value, int sign) {
        Long actual = toNumber(value);
        Long wanted = toNumber(values.get(0));
        return actual != null && wanted != null && actual.compareTo(wanted) == sign;
    }

    /** {@link Long#valueOf(String)} also accepts digits of other scripts; numbers in labels are ASCII. */
    private static @Nullable Long toNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > '9') {
                return null;
            }
        }
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns the canonical text, such as {@code tier in (db,web)}. */
    @Override
    public String toString() {
        return switch (operator) {
            case EXISTS -> key;
            case DOES_NOT_EXIST -> "!" + key;
            case EQUALS, DOUBLE_EQUALS, NOT_EQUALS -> key + operator + values.get(0);
            case GREATER_THAN -> key + ">" + values.get(0);
            case LESS_THAN -> key + "<" + values.get(0);
            case IN, NOT_IN ->
                key + " " + operator + " ("
                        + String.join(",", values.stream().sorted().toList()) + ")";
        };
    }
}
