package io.kubeloop.api;

import org.jspecify.annotations.Nullable;

/**
 * A number or a text: a port by number or by name, a count or a percentage (upstream: {@code intstr.IntOrString}).
 *
 * @param number the number; 0 if this is a text
 * @param text the text; null if this is a number
 */
public record IntOrString(int number, @Nullable String text) {

    /** The number 0, which stands for "absent". */
    public static final IntOrString ZERO = new IntOrString(0, null);

    /** Checks that a text comes without a number. */
    public IntOrString {
        if (text != null && number != 0) {
            throw new IllegalArgumentException("either a number or a text, got " + number + " and \"" + text + "\"");
        }
    }

    /** Returns a number. */
    public static IntOrString of(int number) {
        return number == 0 ? ZERO : new IntOrString(number, null);
    }

    /** Returns a text, even if it reads as a number. */
    public static IntOrString of(String text) {
        return new IntOrString(0, text);
    }

    /**
     * Returns a number if the text reads as one of 32 bits, else the text.
     *
     * <p>v1.20 wrapped numbers of more than 32 bits around; later releases keep the text, and so does this.
     */
    public static IntOrString parse(String text) {
        Integer number = toNumber(text);
        return number == null ? of(text) : of(number);
    }

    /** Returns whether this is a text. */
    public boolean isText() {
        return text != null;
    }

    /** Returns the number, also of a text that reads as one; 0 for any other text. */
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
     * @param total what 100 % is
     * @param roundUp whether a fraction counts as a whole; else it is dropped (both towards the greater or lesser number)
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

    /** {@link Integer#valueOf(String)} also takes digits of other scripts; the wire format does not. */
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
