/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The functions that compute most cells. Static functions only. */
final class Cells {

    static final Function<Row, JsonValue> NAME = Column.NAME.cell();
    static final Function<Row, JsonValue> AGE = Column.AGE.cell();
    static final Function<Row, JsonValue> CREATED = Column.CREATED_AT.cell();
    static final String UNSET = "<unset>";
    static final String UNKNOWN = "<unknown>";

    private Cells() {}

    static Function<Row, JsonValue> text(Function<Row, String> cell) {
        return row -> new JsonString(cell.apply(row));
    }

    /** Returns the string at a path; empty if it is absent. */
    static Function<Row, JsonValue> string(String... path) {
        return text(row -> row.object().string(path));
    }

    /** Returns the string or number at a path as a string; the alternative if it is absent. */
    static Function<Row, JsonValue> stringOr(String alternative, String... path) {
        return text(row -> plain(row.object(), alternative, path));
    }

    static String plain(JsonObject object, String alternative, String... path) {
        JsonValue value = object.get(path);
        if (value == null) {
            return alternative;
        }
        return value instanceof JsonString text ? text.value() : value.toString();
    }

    /** Returns the number at a path; 0 if it is absent. */
    static Function<Row, JsonValue> number(String... path) {
        return row -> JsonNumber.of(row.count(path));
    }

    /** Returns the value at a path as it is; {@code <none>} if it is absent. */
    static Function<Row, JsonValue> valueOrNone(String... path) {
        return row -> {
            JsonValue value = row.object().get(path);
            return value == null ? new JsonString(Row.NONE) : value;
        };
    }

    /** Returns the number of elements of a list or members of an object; 0 if it is absent. */
    static Function<Row, JsonValue> size(String... path) {
        return row -> JsonNumber.of(size(row.object(), path));
    }

    static long size(JsonObject object, String... path) {
        JsonValue value = object.get(path);
        if (value instanceof JsonArray list) {
            return list.size();
        }
        return value instanceof JsonObject members ? members.members().size() : 0;
    }

    /** Returns the boolean at a path; the alternative if it is absent. */
    static Function<Row, JsonValue> flag(boolean alternative, String... path) {
        return row -> JsonBoolean.of(
                row.object().get(path) == null ? alternative : row.object().bool(path));
    }

    /** Returns the strings of a list, joined by commas. */
    static Function<Row, JsonValue> joined(String... path) {
        return text(row -> row.object().array(path).strings().collect(Collectors.joining(",")));
    }

    /** Returns the labels at a path as a selector. */
    static Function<Row, JsonValue> labels(String... path) {
        return text(row -> row.labels(path));
    }

    /** Returns the label selector at a path. */
    static Function<Row, JsonValue> selector(String... path) {
        return text(row -> row.selector(path));
    }

    /** Returns one member of each container of the pod spec at a path, joined by commas. */
    static Function<Row, JsonValue> containers(String member, String... spec) {
        return text(row -> Row.joined(row.object().object(spec).array("containers"), member));
    }

    /** Returns the name; with a note if this annotation marks the object as the default of its kind. */
    static Function<Row, JsonValue> nameOrDefault(String mark) {
        return text(row -> row.object().string("metadata", "name")
                + (row.object().object("metadata", "annotations").string(mark).equals("true") ? " (default)" : ""));
    }

    /** Returns the class at a path; an older annotation comes first. */
    static Function<Row, JsonValue> storageClass(String... path) {
        return text(row -> {
            JsonObject annotations = row.object().object("metadata", "annotations");
            String older = "volume.beta.kubernetes.io/storage-class";
            return annotations.has(older)
                    ? annotations.string(older)
                    : row.object().string(path);
        });
    }

    /** Returns the status of the object's condition of this type; empty if it has none. */
    static String condition(Row row, String type) {
        return row.object()
                .array("status", "conditions")
                .objects()
                .filter(condition -> condition.string("type").equals(type))
                .map(condition -> condition.string("status"))
                .findFirst()
                .orElse("");
    }
}
