/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.gotext;

import io.kubeloop.json.tree.JsonNumber;

/**
 * The two kinds of numbers that Go decodes from JSON: {@code int64} and {@code float64} (upstream: {@code
 * apimachinery/pkg/util/json}). Static functions only.
 */
public final class NumberText {

    /** The largest whole number up to which every {@code float64} is exact. */
    private static final double MAX_EXACT = (1L << 53) - 1;

    private static final double TOLERANCE = 1e-9;

    private NumberText() {}

    /** Returns whether Go decodes the number as an {@code int64}: it has no fraction and no exponent, and it fits. */
    public static boolean isInteger(JsonNumber number) {
        String text = number.text();
        return text.indexOf('.') < 0 && text.indexOf('e') < 0 && text.indexOf('E') < 0 && number.toLong() != null;
    }

    /** Returns the number as a {@code float64}. */
    public static double toDouble(JsonNumber number) {
        return Double.parseDouble(number.text());
    }

    /** Returns the number as an {@code int64}; a fraction is cut off. */
    public static long toLong(JsonNumber number) {
        Long whole = number.toLong();
        return whole != null && isInteger(number) ? whole : (long) toDouble(number);
    }

    /** Returns whether a {@code float64} counts as a JSON integer (upstream: {@code swag.IsFloat64AJSONInteger}). */
    public static boolean isWhole(double value) {
        if (Double.isNaN(value) || Math.abs(value) > MAX_EXACT) {
            return false;
        }
        double whole = value < 0 ? Math.ceil(value) : Math.floor(value);
        if (value == whole) {
            return true;
        }
        double difference = Math.abs(value - whole);
        return whole != 0 && difference / (Math.abs(value) + Math.abs(whole)) < TOLERANCE;
    }

    /** Returns the text of a number in Go's default format ({@code %v}). */
    public static String text(JsonNumber number) {
        return isInteger(number) ? Long.toString(toLong(number)) : GoNumbers.text(toDouble(number));
    }
}
