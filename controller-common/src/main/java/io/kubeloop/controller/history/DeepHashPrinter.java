/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.history;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Prints a pod template as Go's debugging printer prints its struct (upstream: {@code k8s.io/utils/dump.ForHash}).
 * Every field of the Go types is part of the text, also those that the template does not set.
 */
final class DeepHashPrinter {

    private static final GoTypeTable TYPES = new GoTypeTable();

    private static final String ZERO_TIME = "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}";

    private final StringBuilder out = new StringBuilder(8192);

    private DeepHashPrinter() {}

    /** Returns the text of a pod template. O(size of the template and of its Go types). */
    static String podTemplate(JsonObject template) {
        DeepHashPrinter printer = new DeepHashPrinter();
        printer.print("v1.PodTemplateSpec", template, true);
        return printer.out.toString();
    }

    /**
     * Prints a value.
     *
     * @param value the value; null for the zero value of the type
     * @param typed whether the type precedes the value
     */
    private void print(String type, @Nullable JsonValue value, boolean typed) {
        if (typed) {
            out.append('(').append(type).append(')');
        }
        if (type.startsWith("*")) {
            if (value == null) {
                out.append("<nil>");
            } else {
                print(type.substring(1), value, false);
            }
            return;
        }
        switch (type) {
            case "v1.Time" -> out.append(ZERO_TIME);
            case "resource.Quantity" -> out.append(GoQuantity.print(text(value)));
            case "intstr.IntOrString" -> intOrString(value);
            default -> form(type, value);
        }
    }

    private void form(String type, @Nullable JsonValue value) {
        List<GoTypeTable.Field> fields = TYPES.fields(type);
        if (fields != null) {
            struct(fields, value instanceof JsonObject object ? object : JsonObject.EMPTY);
            return;
        }
        String form = TYPES.form(type);
        if (form.startsWith("[]")) {
            list(form.substring(2), value);
        } else if (form.startsWith("map[")) {
            map(form.substring(form.indexOf(']') + 1), value);
        } else if (form.equals("string")) {
            out.append(text(value));
        } else if (form.equals("bool")) {
            out.append(value == JsonBoolean.TRUE);
        } else {
            out.append(value instanceof JsonNumber number ? number.toString() : "0");
        }
    }

    private void struct(List<GoTypeTable.Field> fields, JsonObject object) {
        String separator = "{";
        for (GoTypeTable.Field field : fields) {
            out.append(separator).append(field.name()).append(':');
            print(field.type(), field.json().isEmpty() ? object : object.get(field.json()), true);
            separator = " ";
        }
        out.append(fields.isEmpty() ? "{}" : "}");
    }

    /** An empty list is nil: the original reads protocol buffers, in which an empty list does not exist. */
    private void list(String type, @Nullable JsonValue value) {
        if (!(value instanceof JsonArray array) || array.isEmpty()) {
            out.append("<nil>");
            return;
        }
        String separator = "[";
        for (JsonValue element : array) {
            out.append(separator);
            print(type, element, false);
            separator = " ";
        }
        out.append(']');
    }

    private void map(String type, @Nullable JsonValue value) {
        if (!(value instanceof JsonObject object) || object.isEmpty()) {
            out.append("<nil>");
            return;
        }
        String separator = "map[";
        for (var member : new TreeMap<>(object.members()).entrySet()) {
            out.append(separator).append(member.getKey()).append(':');
            print(type, member.getValue(), false);
            separator = " ";
        }
        out.append(']');
    }

    private void intOrString(@Nullable JsonValue value) {
        boolean isText = value instanceof JsonString;
        out.append("{Type:(intstr.Type)")
                .append(isText ? 1 : 0)
                .append(" IntVal:(int32)")
                .append(value instanceof JsonNumber number ? number.toString() : "0")
                .append(" StrVal:(string)")
                .append(isText ? text(value) : "")
                .append('}');
    }

    private static String text(@Nullable JsonValue value) {
        if (value instanceof JsonString text) {
            return text.value();
        }
        return value instanceof JsonNumber number ? number.toString() : "";
    }

    /**
     * The Go types of a pod template, as {@code e2e/record-pod-template.sh} has recorded them. Each recorded line
     * describes a type: the fields of a struct in the order of their declaration, or the form of another named type.
     */
    private static final class GoTypeTable {

        /**
         * A field of a struct.
         *
         * @param name the name in Go
         * @param json the name in JSON; empty if the members of the field belong to the object around it
         * @param type the Go type, such as {@code []v1.Container}
         */
        record Field(String name, String json, String type) {

            private static Field parse(String text) {
                int colon = text.indexOf(':');
                int equals = text.indexOf('=');
                String name = text.substring(0, equals < 0 ? colon : equals);
                String json = equals < 0
                        ? name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1)
                        : text.substring(equals + 1, colon);
                return new Field(name, json, text.substring(colon + 1));
            }
        }

        private final Map<String, List<Field>> structs = new HashMap<>();
        private final Map<String, String> named = new HashMap<>();

        /** Reads the table. */
        GoTypeTable() {
            try (InputStream in = Objects.requireNonNull(
                            GoTypeTable.class.getResourceAsStream("pod-template.types"), "pod-template.types");
                    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (!line.startsWith("#")) {
                        read(line.split(" ", -1));
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read the Go types of pod templates", e);
            }
        }

        private void read(String[] words) {
            if (words[1].equals("=")) {
                named.put(words[0], words[2]);
                return;
            }
            List<Field> fields = new ArrayList<>();
            for (int i = 2; i < words.length; i++) {
                if (!words[i].isEmpty()) {
                    fields.add(Field.parse(words[i]));
                }
            }
            structs.put(words[0], List.copyOf(fields));
        }

        /** Returns the fields of a struct; null if the type is no struct. */
        @Nullable
        List<Field> fields(String type) {
            return structs.get(type);
        }

        /**
         * Returns the form of a named type, such as {@code string} for {@code v1.Protocol}; the type itself if it has
         * none.
         */
        String form(String type) {
            return named.getOrDefault(type, type);
        }
    }

    /** The text form of a quantity in the canonical form that servers store, such as {@code 500m} or {@code 64Mi}. */
    private static final class GoQuantity {

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

        /** Go keeps the text of a quantity only if a quick check shows that the text is canonical. */
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
         * Go holds quantities of this size as big integers: units of 10^-9 in words of 64 bits, the lowest word first.
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
}
