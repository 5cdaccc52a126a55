package io.kubeloop.api;

import org.jspecify.annotations.Nullable;

/**
 * A number or a text: such as a port by number or by name (upstream: {@code intstr.IntOrString}).
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

    /** Returns whether this is a text. */
    public boolean isText() {
        return text != null;
    }

    /** Returns the number in decimal, or the text. */
    @Override
    public String toString() {
        return text == null ? Integer.toString(number) : text;
    }
}
