/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A number, kept as the text that was read, so reading and writing change no digit. Immutable.
 *
 * @param text the number as JSON writes it, at most {@value #MAX_LENGTH} characters
 */
public record JsonNumber(String text) implements JsonValue {

    /**
     * The maximum length of a number, in characters. An attacker could make comparisons of longer numbers expensive.
     */
    public static final int MAX_LENGTH = 1000;

    private static final Pattern GRAMMAR = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    /** Checks the text against the grammar of JSON. */
    public JsonNumber {
        if (text.length() > MAX_LENGTH || !GRAMMAR.matcher(text).matches()) {
            throw new IllegalArgumentException("not a JSON number: "
                    + (text.length() > MAX_LENGTH ? text.length() + " characters" : "\"" + text + "\""));
        }
    }

    /** Returns a whole number. */
    public static JsonNumber of(long value) {
        return new JsonNumber(Long.toString(value));
    }

    /** Returns the value if it is whole and fits, else null. {@code 3.0} and {@code 3e0} are whole. */
    public @Nullable Long toLong() {
        BigDecimal value = value();
        if (value == null) {
            return null;
        }
        try {
            return value.longValueExact();
        } catch (ArithmeticException e) {
            return null;
        }
    }

    /** Returns the value, or null if its exponent is beyond what {@code BigDecimal} holds. */
    private @Nullable BigDecimal value() {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns the order of two numbers; by text if the exponent of one is beyond the range of {@code BigDecimal}. */
    public static int compare(JsonNumber one, JsonNumber other) {
        BigDecimal mine = one.value();
        BigDecimal theirs = other.value();
        return mine == null || theirs == null ? one.text.compareTo(other.text) : mine.compareTo(theirs);
    }

    /** Compares by value; compares numbers with exponents beyond the range of {@code BigDecimal} by text. */
    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof JsonNumber that)) {
            return false;
        }
        if (text.equals(that.text)) {
            return true;
        }
        BigDecimal mine = value();
        BigDecimal theirs = that.value();
        return mine != null && theirs != null && mine.compareTo(theirs) == 0;
    }

    @Override
    public int hashCode() {
        BigDecimal value = value();
        try {
            return value == null ? text.hashCode() : value.stripTrailingZeros().hashCode();
        } catch (ArithmeticException e) {
            return 1; // equal numbers may have another exponent, which does not fit without the zeros
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
