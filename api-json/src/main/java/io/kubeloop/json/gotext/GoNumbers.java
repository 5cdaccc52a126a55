/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.gotext;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Writes numbers with a fraction as Go writes them: with the fewest digits that identify the number. Thread-safe:
 * stateless.
 *
 * <p>{@code Double.toString} does not suffice: up to JDK 18 it can return more digits than necessary, and all releases
 * return at least two.
 */
public final class GoNumbers {

    /** Go's encoder of JSON writes numbers of these decimal exponents without an exponent. */
    private static final int SMALLEST_PLAIN_JSON = -6;

    private static final int LARGEST_PLAIN_JSON = 20;

    /** Go's format {@code %g} writes numbers of these decimal exponents without an exponent. */
    private static final int SMALLEST_PLAIN = -4;

    private static final int LARGEST_PLAIN = 5;

    private GoNumbers() {}

    /**
     * Returns the text of a number as JSON of Go has it, such as 1e-7 and 1e+21.
     *
     * @throws IllegalArgumentException if JSON has no such number
     */
    public static String json(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("JSON has no number " + value);
        }
        return text(value, SMALLEST_PLAIN_JSON, LARGEST_PLAIN_JSON, false);
    }

    /** Returns the text of a number in Go's default format ({@code %v}), such as 1e-07 and 1e+06. */
    public static String text(double value) {
        return isSpecial(value) ? special(value) : text(value, SMALLEST_PLAIN, LARGEST_PLAIN, true);
    }

    /** Returns the text of a number without an exponent ({@code strconv.FormatFloat(v, 'f', -1, 64)}). */
    public static String plain(double value) {
        return isSpecial(value) ? special(value) : shortest(value).toPlainString();
    }

    private static boolean isSpecial(double value) {
        return value == 0 || Double.isNaN(value) || Double.isInfinite(value);
    }

    private static String special(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        return Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    }

    private static String text(double value, int smallestPlain, int largestPlain, boolean padded) {
        if (value == 0) {
            return special(value);
        }
        BigDecimal shortest = shortest(value);
        int exponent = shortest.precision() - shortest.scale() - 1;
        if (exponent >= smallestPlain && exponent <= largestPlain) {
            return shortest.toPlainString();
        }
        String digits = shortest.movePointLeft(exponent).toPlainString();
        String pad = Math.abs(exponent) < 10 && padded ? "0" : "";
        return digits + (exponent < 0 ? "e-" : "e+") + pad + Math.abs(exponent);
    }

    /** Returns the decimal with the fewest digits that reads as this number; of several the closest one. */
    private static BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        BigDecimal shortest = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        // Another decimal of the same length can be closer. If no decimal of a length reads as the number, no shorter
        // one does.
        for (int digits = shortest.precision(); digits > 0; digits--) {
            BigDecimal closest = closest(exact, value, digits);
            if (closest == null) {
                break;
            }
            shortest = closest;
        }
        return shortest.stripTrailingZeros();
    }

    private static @Nullable BigDecimal closest(BigDecimal exact, double value, int digits) {
        BigDecimal down = exact.round(new MathContext(digits, RoundingMode.DOWN));
        BigDecimal up = exact.round(new MathContext(digits, RoundingMode.UP));
        boolean isDown = down.doubleValue() == value;
        boolean isUp = up.doubleValue() == value;
        if (isDown && isUp) {
            return exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
        }
        return isDown ? down : isUp ? up : null;
    }
}
