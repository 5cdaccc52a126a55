/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.gotext;

import java.math.BigInteger;
import java.util.List;

/** The text form of a quantity in the canonical form that servers store, such as {@code 500m} or {@code 64Mi}. */
final class GoQuantity {

    private static final List<String> BINARY = List.of("Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final List<String> SMALL = List.of("n", "u", "m", "");
    private static final List<String> LARGE = List.of("k", "M", "G", "T", "P", "E");

    private GoQuantity() {}

    /** Returns the text form; an empty string is the zero value. */
    static String print(String quantity) {
        if (quantity.isEmpty()) {
            return text(0, 0, "", "");
        }
        if (quantity.equals("0")) {
            return text(0, 0, quantity, "DecimalSI");
        }
        int end = 0;
        while (end < quantity.length() && "+-0123456789.".indexOf(quantity.charAt(end)) >= 0) {
            end++;
        }
        String suffix = quantity.substring(end);
        String number = quantity.substring(0, end);
        int binary = BINARY.indexOf(suffix);
        return binary >= 0 ? binary(quantity, number, 10 * (binary + 1)) : decimal(quantity, number, suffix);
    }

    /** Go keeps the text of a quantity only if it knows at once that the text is canonical. */
    private static String binary(String quantity, String number, int exponent) {
        long value = Long.parseLong(number);
        int digits = number.replaceFirst("^[+-]", "").length();
        if (15 - digits - (int) (exponent * 0.3f) - 1 < 0) {
            return large(BigInteger.valueOf(value).shiftLeft(exponent));
        }
        return text(value << exponent, 0, (value & 7) == 0 ? "" : quantity, "BinarySI");
    }

    private static String decimal(String quantity, String number, String suffix) {
        boolean isExponent = suffix.length() > 1;
        int point = number.indexOf('.');
        int fraction = point < 0 ? 0 : number.length() - point - 1;
        int scale = (isExponent ? Integer.parseInt(suffix.substring(1)) : exponent(suffix)) - fraction;
        String digits = number.replace(".", "").replaceFirst("^[+-]", "");
        boolean isCanonical = scale % 3 == 0 && !digits.endsWith("000") && !digits.startsWith("0");
        long value = Long.parseLong(number.replace(".", ""));
        return text(value, scale, isCanonical ? quantity : "", isExponent ? "DecimalExponent" : "DecimalSI");
    }

    private static int exponent(String suffix) {
        int small = SMALL.indexOf(suffix);
        return small >= 0 ? 3 * (small - 3) : 3 * (LARGE.indexOf(suffix) + 1);
    }

    private static String text(long value, int scale, String quantity, String format) {
        return text(value, scale, "<nil>", quantity, format);
    }

    /**
     * Quantities of this size are numbers of any length, in units of 10^-9 and in words of 64 bits, the lowest first.
     */
    private static String large(BigInteger value) {
        StringBuilder words = new StringBuilder();
        for (BigInteger rest = value.abs().multiply(BigInteger.TEN.pow(9));
                rest.signum() > 0;
                rest = rest.shiftRight(64)) {
            words.append(words.isEmpty() ? "" : " ").append(Long.toUnsignedString(rest.longValue()));
        }
        String number = "{unscaled:(big.Int){neg:(bool)" + (value.signum() < 0) + " abs:(big.nat)[" + words
                + "]} scale:(inf.Scale)9}";
        return text(0, 0, number, "", "BinarySI");
    }

    private static String text(long value, int scale, String large, String quantity, String format) {
        return "{i:(resource.int64Amount){value:(int64)" + value + " scale:(resource.Scale)" + scale
                + "} d:(resource.infDecAmount){Dec:(*inf.Dec)" + large + "} s:(string)" + quantity
                + " Format:(resource.Format)" + format + "}";
    }
}
