/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.json.gotext.GoNumbers;
import io.kubeloop.json.gotext.NumberText;
import io.kubeloop.json.tree.JsonNumber;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Checks a number against its limits (upstream: {@code validate.numberValidator}). A whole number is compared with the
 * whole part of a limit, as upstream. Static functions only.
 */
final class NumberCheck {

    private static final BigInteger INT64_MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger INT64_MAX = BigInteger.valueOf(Long.MAX_VALUE);

    private NumberCheck() {}

    static void check(SchemaProps schema, JsonNumber number, String path, ValueResult result) {
        String type = schema.intOrString() ? "" : schema.type();
        String format = Formats.supported(schema);
        checkRange(
                NumberText.isInteger(number) ? number.text() : GoNumbers.plain(NumberText.toDouble(number)),
                type,
                format,
                "Checked",
                path,
                result);
        Double factor = schema.limit("multipleOf");
        Double min = schema.limit("minimum");
        Double max = schema.limit("maximum");
        boolean whole = NumberText.isInteger(number);
        if (factor != null) {
            boolean fits = checkRange(GoNumbers.plain(factor), type, format, "MultipleOf", path, result);
            multipleOf(number, factor, whole && fits, path, result);
        }
        if (min != null) {
            boolean fits = checkRange(GoNumbers.plain(min), type, format, "Minimum boundary", path, result);
            boolean exclusive = schema.source().bool("exclusiveMinimum");
            int order = compare(number, min, whole && fits);
            if (order < 0 || (exclusive && order == 0)) {
                String relation = exclusive ? "greater than " : "greater than or equal to ";
                result.invalid(path, number, "should be " + relation + limit(min, whole && fits));
            }
        }
        if (max != null) {
            boolean fits = checkRange(GoNumbers.plain(max), type, format, "Maximum boundary", path, result);
            boolean exclusive = schema.source().bool("exclusiveMaximum");
            int order = compare(number, max, whole && fits);
            if (order > 0 || (exclusive && order == 0)) {
                String relation = exclusive ? "less than " : "less than or equal to ";
                result.invalid(path, number, "should be " + relation + limit(max, whole && fits));
            }
        }
    }

    private static int compare(JsonNumber number, double limit, boolean whole) {
        return whole
                ? Long.compare(NumberText.toLong(number), (long) limit)
                : Double.compare(NumberText.toDouble(number), limit);
    }

    private static String limit(double limit, boolean whole) {
        return whole ? Long.toString((long) limit) : GoNumbers.text(limit);
    }

    private static void multipleOf(JsonNumber number, double factor, boolean whole, String path, ValueResult result) {
        String shown = limit(factor, whole);
        if (whole ? (long) factor <= 0 : factor <= 0) {
            result.notPositiveFactor(path, new JsonNumber(shown));
            return;
        }
        double value = NumberText.toDouble(number);
        boolean multiple = whole
                ? NumberText.toLong(number) % (long) factor == 0
                : NumberText.isWhole(factor < 1 ? 1 / factor * value : value / factor);
        if (!multiple) {
            result.invalid(path, number, "should be a multiple of " + shown);
        }
    }

    private static final int DIGITS_OF_INT64 = 19;

    /** Adds an error, and returns false, if a number is outside of the range of the type and format. */
    private static boolean checkRange(
            String number, String type, String format, String what, String path, ValueResult result) {
        boolean fits = true;
        if (type.equals("integer")) {
            fits = isInteger(number, format);
        } else if (format.equals("float")) {
            fits = !Float.isInfinite(Float.parseFloat(number));
        }
        if (!fits) {
            result.general(what + " value must be of type " + (format.equals("float") ? "number" : type)
                    + (format.isEmpty() ? " (default format)" : " with format " + format) + " in " + path);
        }
        return fits;
    }

    private static boolean isInteger(String number, String format) {
        BigDecimal decimal;
        try {
            decimal = new BigDecimal(number).stripTrailingZeros();
        } catch (NumberFormatException | ArithmeticException e) {
            return false; // the exponent does not fit
        }
        // An exponent of many digits in a short text must not become as many digits of a number.
        if (decimal.scale() > 0 || (long) decimal.precision() - decimal.scale() > DIGITS_OF_INT64) {
            return false;
        }
        BigInteger value = decimal.toBigInteger();
        if (format.equals("int32")) {
            return value.bitLength() < 32;
        }
        return value.compareTo(INT64_MIN) >= 0 && value.compareTo(INT64_MAX) <= 0;
    }
}
