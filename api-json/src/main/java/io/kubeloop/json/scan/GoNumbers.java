package io.kubeloop.json.scan;

import java.math.BigDecimal;

/** Writes numbers with a fraction as Go writes them in JSON. Thread-safe: stateless. */
public final class GoNumbers {

    /** Go writes numbers below and from these with an exponent. */
    private static final double SMALLEST_PLAIN = 1e-6;

    private static final double LARGEST_PLAIN = 1e21;

    private GoNumbers() {}

    /**
     * Returns the shortest text of a number.
     *
     * @throws IllegalArgumentException if JSON has no such number
     */
    public static String text(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("JSON has no number " + value);
        }
        double size = Math.abs(value);
        BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (exact.signum() == 0) {
            return "0";
        }
        if (size >= SMALLEST_PLAIN && size < LARGEST_PLAIN) {
            return exact.toPlainString();
        }
        int exponent = exact.precision() - exact.scale() - 1;
        String digits = exact.movePointLeft(exponent).toPlainString();
        return digits + (exponent < 0 ? "e-" : "e+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }
}
