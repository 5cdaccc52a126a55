/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.fielderrors.FieldError;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** The rules of additional printer columns. Static functions only. */
final class ColumnRules {

    private static final List<String> TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final List<String> FORMATS =
            List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");

    private ColumnRules() {}

    static void check(String path, JsonArray columns, FieldErrors problems) {
        List<JsonObject> all = columns.objects().toList();
        for (int i = 0; i < all.size(); i++) {
            check(path + "[" + i + "]", all.get(i), problems);
        }
    }

    private static void check(String path, JsonObject column, FieldErrors problems) {
        String type = column.string("type");
        String format = column.string("format");
        String jsonPath = column.string("jsonPath");
        if (column.string("name").isEmpty()) {
            problems.required(path + ".name", "");
        }
        if (!TYPES.contains(type)) {
            String detail = "must be one of " + String.join(",", TYPES);
            problems.add(
                    type.isEmpty()
                            ? FieldError.required(path + ".type", detail)
                            : FieldError.invalid(path + ".type", type, detail));
        }
        if (!format.isEmpty() && !FORMATS.contains(format)) {
            problems.invalid(path + ".format", format, "must be one of " + String.join(",", FORMATS));
        }
        if (jsonPath.isEmpty()) {
            problems.required(path + ".JSONPath", "");
        } else if (!jsonPath.startsWith(".")) {
            problems.invalid(path + ".JSONPath", jsonPath, "must be a simple json path starting with .");
        }
    }
}
