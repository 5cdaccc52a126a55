/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import java.util.List;

/** The rules of additional printer columns. Static functions only. */
final class ColumnRules {

    private static final List<String> TYPES = List.of("boolean", "date", "integer", "number", "string");
    private static final List<String> FORMATS =
            List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");

    private ColumnRules() {}

    static void check(FieldCursor column) {
        column.at("name").require();
        FieldCursor type = column.at("type");
        String types = "must be one of " + String.join(",", TYPES);
        if (type.require(types) && !TYPES.contains(type.text())) {
            type.invalid(types);
        }
        FieldCursor format = column.at("format");
        if (!format.isEmpty() && !FORMATS.contains(format.text())) {
            format.invalid("must be one of " + String.join(",", FORMATS));
        }
        FieldCursor jsonPath = column.at("jsonPath").named(column.path() + ".JSONPath");
        if (jsonPath.require() && !jsonPath.text().startsWith(".")) {
            jsonPath.invalid("must be a simple json path starting with .");
        }
    }
}
