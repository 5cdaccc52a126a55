/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.value;

import org.jspecify.annotations.Nullable;

/**
 * A number or a text, such as a port by number or name, or a count or percentage (upstream:
 * {@code intstr.IntOrString}).
 *
 * @param number the number; 0 if this is a text
 * @param text the text; null if this is a number
 */
public record IntOrString(int number, @Nullable String text) {

    /** The number 0, which stands for "absent". */
    public static final IntOrString ZERO = new IntOrString(0, null);

    /** Checks that not both are set. */
    public IntOrString {
        if (text != null && number != 0) {
            throw new IllegalArgumentException(
                    "An IntOrString is either a number or a text, got both " + number + " and \"" + text + "\"");
        }
    }

    /** Returns a number. */
    public static IntOrString of(int number) {
        return number == 0 ? ZERO : new IntOrString(number, null);
    }

    /** Returns a text, even if it consists of digits. */
    public static IntOrString of(String text) {
        return new IntOrString(0, text);
    }

    /**
     * Returns a number if the text is a decimal integer of 32 bits; otherwise the text.
     *
     * <p>Kubernetes 1.20 let larger numbers overflow. Later releases keep the text, and so does this method.
     */
    public static IntOrString parse(String text) {
        Integer number = toNumber(text);
        return number == null ? of(text) : of(number);
    }

    /** Returns whether this is a text. */
    public boolean isText() {
        return text != null;
    }

    /** Returns the number, or the value of a text that is a decimal integer of 32 bits; 0 for any other text. */
    public int intValue() {
        if (text == null) {
            return number;
        }
        Integer value = toNumber(text);
        return value == null ? 0 : value;
    }

    /**
     * Returns the number, or a percentage of a total.
     *
     * @param total the number that 100 % stands for
     * @param roundUp whether a fraction is rounded to the next greater integer, rather than to the next lesser one
     * @throws IllegalArgumentException if this is a text other than a whole number followed by {@code %}
     */
    public int scaled(int total, boolean roundUp) {
        if (text == null) {
            return number;
        }
        Integer percent = text.endsWith("%") ? toNumber(text.substring(0, text.length() - 1)) : null;
        if (percent == null) {
            throw new IllegalArgumentException("neither a number nor a percentage: \"" + text + "\"");
        }
        long hundredths = (long) percent * total;
        return Math.toIntExact(roundUp ? -Math.floorDiv(-hundredths, 100L) : Math.floorDiv(hundredths, 100L));
    }

    /** {@link Integer#valueOf(String)} also accepts digits of other scripts, which the wire format forbids. */
    private static @Nullable Integer toNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > '9') {
                return null;
            }
        }
        try {
            return Integer.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns the number in decimal, or the text. */
    @Override
    public String toString() {
        return text == null ? Integer.toString(number) : text;
    }
}
