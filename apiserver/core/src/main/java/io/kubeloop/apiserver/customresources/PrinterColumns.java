/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.customresources.paths.JsonPath;
import io.kubeloop.apiserver.customresources.paths.JsonPath.InvalidJsonPathException;
import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.table.HumanDuration;
import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.gotext.NumberText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The columns of tables of custom resources (upstream: {@code tableconvertor}). Static functions only. */
final class PrinterColumns {

    private static final JsonObject AGE = JsonObject.builder()
            .put("name", "Age")
            .put("type", "date")
            .put("jsonPath", ".metadata.creationTimestamp")
            .put("description", "The time since the creation of the object.")
            .build();

    private PrinterColumns() {}

    /** Returns the columns of a version: the name, and then its own columns; without own columns the age. */
    static List<Column> of(JsonArray own) {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.NAME);
        try {
            for (JsonObject column :
                    own.isEmpty() ? List.of(AGE) : own.objects().toList()) {
                columns.add(column(column));
            }
        } catch (InvalidJsonPathException e) {
            // As upstream, the columns from the first invalid path on are not shown.
            return columns;
        }
        return columns;
    }

    private static Column column(JsonObject column) throws InvalidJsonPathException {
        String jsonPath = column.string("jsonPath");
        String type = column.string("type");
        String description = column.string("description");
        Long priority = column.number("priority");
        return new Column(
                column.string("name"),
                type,
                column.string("format"),
                priority == null ? 0 : priority.intValue(),
                description.isEmpty()
                        ? "Custom resource definition column (in JSONPath format): " + jsonPath
                        : description,
                cell(JsonPath.parse(jsonPath), type));
    }

    private static Function<Row, JsonValue> cell(JsonPath path, String type) {
        return row -> {
            try {
                List<JsonValue> found = path.select(row.object());
                return found.isEmpty() ? JsonNull.NULL : cell(found.get(0), type, row);
            } catch (InvalidJsonPathException e) {
                return JsonNull.NULL; // the path does not fit this object
            }
        };
    }

    private static JsonValue cell(JsonValue value, String type, Row row) {
        if (type.equals("string")) {
            return new JsonString(text(value));
        }
        if (value instanceof JsonNumber number) {
            return switch (type) {
                case "integer" -> JsonNumber.of(NumberText.toLong(number));
                case "number" -> number;
                default -> JsonNull.NULL;
            };
        }
        if (value instanceof JsonBoolean && type.equals("boolean")) {
            return value;
        }
        return value instanceof JsonString text && type.equals("date") ? date(text.value(), row) : JsonNull.NULL;
    }

    private static String text(JsonValue value) {
        if (value == JsonNull.NULL) {
            return "<no value>";
        }
        boolean compound = value instanceof JsonObject || value instanceof JsonArray;
        return compound ? GoText.sorted(value).toString() : GoText.plain(value);
    }

    private static JsonString date(String timestamp, Row row) {
        if (timestamp.isEmpty()) {
            return new JsonString("<unknown>");
        }
        try {
            String instant = OffsetDateTime.parse(timestamp).toInstant().toString();
            return new JsonString(HumanDuration.since(instant, row.now()));
        } catch (DateTimeException e) {
            return new JsonString("<invalid>");
        }
    }
}
