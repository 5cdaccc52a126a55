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
        check(NameValidation.qualifiedName(key), "label key", key);
        String fault = faultOf(operator, values);
        if (fault != null) {
            throw new InvalidSelectorException(
                    "operator \"" + operator + "\" on label \"" + key + "\" " + fault + ", got " + values);
        }
        for (String value : values) {
            check(NameValidation.labelValue(value), "value of label \"" + key + "\"", value);
        }
        return new Requirement(key, operator, values);
    }

    private static @Nullable String faultOf(Operator operator, List<String> values) {
        return switch (operator) {
            case IN, NOT_IN -> values.isEmpty() ? "needs a value" : null;
            case EQUALS, DOUBLE_EQUALS, NOT_EQUALS -> values.size() != 1 ? "needs exactly one value" : null;
            case EXISTS, DOES_NOT_EXIST -> values.isEmpty() ? null : "takes no value";
            case GREATER_THAN, LESS_THAN ->
                values.size() != 1 || toNumber(values.get(0)) == null ? "needs exactly one whole number" : null;
        };
    }

    private static void check(List<String> errors, String what, String text) {
        if (!errors.isEmpty()) {
            throw new InvalidSelectorException("invalid " + what + ": \"" + text + "\": " + String.join("; ", errors));
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
