/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.schema;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import org.jspecify.annotations.Nullable;

/** Reads quantities from JSON. */
public final class Quantities {

    /** The form of upstream's messages. */
    private static final String FORM = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";

    private static final String DIGITS = "0123456789";

    private Quantities() {}

    /**
     * Returns a quantity that is written as a string or as a number.
     *
     * @throws DecodeException if it is not a quantity
     */
    public static Quantity of(JsonValue value) {
        String text = value instanceof JsonString string ? string.value() : value.toString();
        try {
            if (value instanceof JsonString || value instanceof JsonNumber) {
                return Quantity.parse(text);
            }
        } catch (IllegalArgumentException e) {
            throw refused(text, e);
        }
        throw refused(text, null);
    }

    /**
     * Returns the canonical form of a quantity.
     *
     * @throws DecodeException if the text is not a quantity
     */
    public static String canonical(String text) {
        try {
            return Quantity.parse(text).toString();
        } catch (IllegalArgumentException e) {
            throw refused(text, e);
        }
    }

    /** Returns the error for a text that is not a quantity. */
    public static DecodeException refused(String text, @Nullable Throwable cause) {
        return new DecodeException(
                hasForm(text)
                        ? "unable to parse quantity's suffix"
                        : "quantities must match the regular expression '" + FORM + "'",
                cause);
    }

    /** Returns whether a number with one point at most comes first, then letters of suffixes and a signed exponent. */
    private static boolean hasForm(String text) {
        int start = skip(text, 0, "+-", 1);
        int point = skip(text, start, DIGITS, text.length());
        int fraction = skip(text, point, ".", 1);
        int suffix = skip(text, fraction, DIGITS, text.length());
        boolean hasDigits = suffix - start > fraction - point;
        int exponent = skip(text, skip(text, suffix, "eEinumkKMGTP", text.length()), "+-", 1);
        return hasDigits && skip(text, exponent, DIGITS, text.length()) == text.length();
    }

    /** Returns the index behind some characters of a set. */
    private static int skip(String text, int from, String set, int most) {
        int at = from;
        while (at < text.length() && at - from < most && set.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }
}
