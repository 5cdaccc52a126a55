/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.value;

import io.kubeloop.api.value.Quantity.Format;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses quantities like upstream, including the choice which texts are kept and printed unchanged. */
final class QuantityParser {

    /** The binary suffixes: 1024¹, 1024² and so on. */
    static final List<String> BINARY = List.of("Ki", "Mi", "Gi", "Ti", "Pi", "Ei");

    /** The decimal suffixes: 1000⁻³, 1000⁻² and so on, with none for 1. */
    private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");

    /**
     * Sign, whole digits, fraction digits, suffix. A text without digits is zero. No part backtracks, so the time is
     * linear.
     */
    private static final Pattern FORM = Pattern.compile("([+-]?)0*+([0-9]*+)(?:\\.([0-9]*+))?([^0-9.].*+)?");

    private static final Pattern EXPONENT = Pattern.compile("[eE]([+-]?[0-9]+)");
    private static final BigDecimal MAX_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);

    /** Texts with more digits than a {@code long} always holds are never kept. */
    private static final int LONG_DIGITS = 18;

    /** The exponent of the resolution. */
    private static final int FINEST = -9;

    /** Upstream accepts a suffix without digits as zero, but only the first suffixes of the list. */
    private static final int SUFFIXES_WITHOUT_DIGITS = 4;

    /** Far beyond any real amount, and small enough that arithmetic on it stays cheap. */
    private static final int MAX_EXPONENT = 10_000;

    /** The same bound for written digits: the JDK reads n digits in n² steps. */
    private static final int MAX_DIGITS = 10_000;

    private QuantityParser() {}

    static String decimalSuffix(int exponent) {
        return DECIMAL.get(exponent / 3 + 3);
    }

    static Quantity parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (text.isEmpty() || !parts.matches()) {
            throw refused(text, "want a decimal number and a suffix, such as \"1.5Gi\"");
        }
        String whole = parts.group(2).isEmpty() ? "0" : parts.group(2);
        String fraction = parts.group(3) == null ? "" : parts.group(3);
        String suffix = parts.group(4) == null ? "" : parts.group(4);
        if (whole.length() + fraction.length() > MAX_DIGITS || suffix.length() > MAX_DIGITS) {
            throw refused(text.substring(0, LONG_DIGITS) + "...", "more than " + MAX_DIGITS + " digits");
        }

        Format format;
        int exponent;
        BigInteger factor = BigInteger.ONE;
        Matcher exponentForm = EXPONENT.matcher(suffix);
        if (exponentForm.matches()) {
            format = Format.DECIMAL_EXPONENT;
            exponent = exponent(text, exponentForm.group(1));
        } else if (DECIMAL.contains(suffix)) {
            format = Format.DECIMAL_SI;
            exponent = 3 * (DECIMAL.indexOf(suffix) - 3);
        } else if (BINARY.contains(suffix)) {
            format = Format.BINARY_SI;
            exponent = 0;
            factor = BigInteger.TWO.pow(10 * (BINARY.indexOf(suffix) + 1));
        } else {
            throw refused(text, "unknown suffix \"" + suffix + "\"");
        }
        boolean digitless = parts.end(1) == parts.end(2) && fraction.isEmpty();
        if (digitless && (exponent < FINEST || BINARY.indexOf(suffix) >= SUFFIXES_WITHOUT_DIGITS)) {
            throw refused(text, "no digits");
        }

        BigInteger digits = new BigInteger(whole + fraction);
        BigDecimal amount = Quantity.toNano(new BigDecimal(digits.multiply(factor), fraction.length() - exponent));
        if (format == Format.BINARY_SI) {
            amount = amount.min(MAX_BINARY);
            if (amount.signum() > 0 && amount.compareTo(BigDecimal.ONE) < 0) {
                format = Format.DECIMAL_SI;
            }
        }
        boolean keep = format == Format.BINARY_SI
                ? fraction.isEmpty() && isNearCanonicalBinary(whole, BINARY.indexOf(suffix) + 1)
                : factor.equals(BigInteger.ONE)
                        && isNearCanonicalDecimal(whole + fraction, exponent - fraction.length());
        return new Quantity(parts.group(1).equals("-") ? amount.negate() : amount, format, keep ? text : null);
    }

    private static int exponent(String text, String digits) {
        BigInteger exponent = new BigInteger(digits);
        if (exponent.abs().compareTo(BigInteger.valueOf(MAX_EXPONENT)) > 0) {
            throw refused(text, "exponent beyond ±" + MAX_EXPONENT);
        }
        return exponent.intValue();
    }

    /**
     * Returns whether upstream considers a decimal text close enough to canonical; it accepts {@code +1} and
     * {@code 1.234}.
     */
    private static boolean isNearCanonicalDecimal(String digits, int exponent) {
        return digits.length() <= LONG_DIGITS
                && exponent >= FINEST
                && exponent % 3 == 0
                && !digits.endsWith("000")
                && digits.charAt(0) != '0';
    }

    /** Does the same for binary suffixes: few digits, and a number that is not divisible by 8. */
    private static boolean isNearCanonicalBinary(String digits, int power) {
        return digits.length() + 3 * power < 15 && (new BigInteger(digits).intValue() & 7) != 0;
    }

    private static IllegalArgumentException refused(String text, String why) {
        return new IllegalArgumentException("not a quantity: \"" + text + "\": " + why);
    }
}
