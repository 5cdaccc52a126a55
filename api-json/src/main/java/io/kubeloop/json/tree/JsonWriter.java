/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import io.kubeloop.api.JsonStrings;
import java.util.Map;

/** Writes trees in the format of Go's {@code encoding/json} with HTML escaping, its default. */
final class JsonWriter {

    private JsonWriter() {}

    static String write(JsonValue value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, JsonValue value) {
        if (value instanceof JsonObject object) {
            char separator = '{';
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                out.append(separator);
                JsonStrings.quote(out, member.getKey());
                out.append(':');
                write(out, member.getValue());
                separator = ',';
            }
            out.append(separator == '{' ? "{}" : "}");
        } else if (value instanceof JsonArray array) {
            char separator = '[';
            for (JsonValue element : array) {
                out.append(separator);
                write(out, element);
                separator = ',';
            }
            out.append(separator == '[' ? "[]" : "]");
        } else if (value instanceof JsonString string) {
            JsonStrings.quote(out, string.value());
        } else if (value instanceof JsonNumber number) {
            out.append(number.text());
        } else if (value instanceof JsonBoolean bool) {
            out.append(bool.value());
        } else {
            out.append("null");
        }
    }
}
