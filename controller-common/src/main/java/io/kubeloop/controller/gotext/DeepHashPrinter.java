/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.gotext;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Prints a pod template as Go's debugging printer prints its struct (upstream: {@code k8s.io/utils/dump.ForHash}).
 * Every field of the Go types is part of the text, also those that the template does not set.
 */
public final class DeepHashPrinter {

    private static final GoTypeTable TYPES = new GoTypeTable();

    private static final String ZERO_TIME = "{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}";

    private final StringBuilder out = new StringBuilder(8192);

    private DeepHashPrinter() {}

    /** Returns the text of a pod template. O(size of the template and of its Go types). */
    public static String podTemplate(JsonObject template) {
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
}
