/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.yaml;

import io.kubeloop.json.gotext.GoNumbers;
import io.kubeloop.json.gotext.NumberText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resolves scalars without quotes by the rules of go-yaml 2, which kubectl and the API server use. These are the rules
 * of YAML
 * 1.1, except that dates and numbers in base 60 stay strings. Thread-safe: stateless.
 */
final class YamlScalar {

    private static final Set<String> TRUE =
            Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
    private static final Set<String> FALSE =
            Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
    private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");

    /** The scalars for numbers that JSON does not have. */
    private static final Pattern NOT_FINITE = Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

    private static final Pattern INTEGER =
            Pattern.compile("([-+]?)(?:(0[xX])([0-9a-fA-F]+)|(0[bB])([01]+)|(0[oO]?)([0-7]+)|(0|[1-9][0-9]*))");
    private static final Pattern FLOAT = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");

    private YamlScalar() {}

    /**
     * Returns the value of a plain scalar.
     *
     * @return null for infinity and not-a-number, which JSON cannot express
     */
    static @Nullable JsonValue resolve(String text) {
        if (NULL.contains(text)) {
            return JsonNull.NULL;
        }
        if (TRUE.contains(text)) {
            return JsonBoolean.TRUE;
        }
        if (FALSE.contains(text)) {
            return JsonBoolean.FALSE;
        }
        if (NOT_FINITE.matcher(text).matches()) {
            return null;
        }
        JsonNumber number = number(text);
        return number == null ? new JsonString(text) : number;
    }

    static @Nullable JsonNumber number(String text) {
        if (text.isEmpty() || text.length() > JsonNumber.MAX_LENGTH || "+-.0123456789".indexOf(text.charAt(0)) < 0) {
            return null;
        }
        if (text.charAt(0) == '.' && text.indexOf('_') >= 0) {
            return null; // digits are grouped before the point only
        }
        String digits = text.replace("_", "");
        var integer = INTEGER.matcher(digits);
        if (integer.matches()) {
            BigInteger magnitude = integer.group(3) != null
                    ? new BigInteger(integer.group(3), 16)
                    : integer.group(5) != null
                            ? new BigInteger(integer.group(5), 2)
                            : integer.group(7) != null
                                    ? new BigInteger(integer.group(7), 8)
                                    : new BigInteger(integer.group(8));
            BigInteger value = integer.group(1).equals("-") ? magnitude.negate() : magnitude;
            int bits = integer.group(1).isEmpty() ? Long.SIZE : Long.SIZE - 1;
            // Longer numbers in other bases are names, such as hashes; 0777... is decimal then.
            if (integer.group(8) != null || value.bitLength() <= bits) {
                return new JsonNumber(value.toString());
            }
        }
        double approximate = FLOAT.matcher(digits).matches() ? Double.parseDouble(digits) : Double.NaN;
        if (approximate == 0) {
            return JsonNumber.of(0); // its exponent may be too small for a BigDecimal
        }
        if (Double.isFinite(approximate)) {
            BigDecimal value = new BigDecimal(digits).stripTrailingZeros();
            boolean plain = Math.abs((long) value.precision() - value.scale()) <= 20;
            return new JsonNumber(
                    plain ? value.toPlainString() : value.toString().replace("E", "e"));
        }
        return null;
    }

    /**
     * Returns a value with its numbers as Go decodes them from YAML: an {@code int64}, a {@code float64}, or a string
     * if the number is too large.
     */
    static JsonValue asGo(JsonValue json) {
        if (json instanceof JsonNumber number) {
            double value = NumberText.toDouble(number);
            return NumberText.isInteger(number) || value == 0
                    ? JsonNumber.of(NumberText.toLong(number))
                    : Double.isInfinite(value) ? new JsonString(number.text()) : new JsonNumber(GoNumbers.json(value));
        }
        if (json instanceof JsonArray array) {
            return JsonArray.of(array.elements().stream().map(YamlScalar::asGo).toList());
        }
        if (json instanceof JsonObject object) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            object.members().forEach((name, member) -> members.put(name, asGo(member)));
            return JsonObject.of(members);
        }
        return json;
    }
}
