/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.table;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.function.Function;

/**
 * One column of a table, or another value in each of its rows.
 *
 * @param place where a row has the value
 * @param name the header
 * @param type the type of the cells, such as {@code string} or {@code integer}
 * @param format {@code name} for the column that identifies the row, otherwise usually empty
 * @param priority 0 for a column that is always shown, 1 for one that {@code kubectl get -o wide} adds
 * @param description the description for users
 * @param cell computes a cell
 */
public record Column(
        Place place,
        String name,
        String type,
        String format,
        int priority,
        String description,
        Function<Row, JsonValue> cell) {

    /** The position of a value in its row. */
    public enum Place {
        /** A cell below the header of the column. */
        CELL,
        /** A cell without a header, after the others. */
        EXTRA_CELL,
        /** The conditions of the row; a row with the value null has none. */
        CONDITIONS
    }

    /** The first column of every table. */
    public static final Column NAME = new Column(
            "Name",
            "string",
            "name",
            0,
            "The name of the object, unique among objects of its kind in its namespace.",
            row -> new JsonString(row.object().string("metadata", "name")));

    /** The age column of most tables. */
    public static final Column AGE = new Column(
            "Age",
            "string",
            "",
            0,
            "The time since the creation of the object.",
            row -> new JsonString(row.age("metadata", "creationTimestamp")));

    /** The column that upstream shows instead of the age for kinds without columns of their own. */
    public static final Column CREATED_AT = new Column(
            "Created At",
            "date",
            "",
            0,
            "The time of the creation.",
            row -> new JsonString(row.object().string("metadata", "creationTimestamp")));

    /** Creates a column with a header. */
    public Column(
            String name, String type, String format, int priority, String description, Function<Row, JsonValue> cell) {
        this(Place.CELL, name, type, format, priority, description, cell);
    }

    /** Returns a cell without a header. */
    public static Column extra(Function<Row, JsonValue> cell) {
        return new Column(Place.EXTRA_CELL, "", "", "", 0, "", cell);
    }

    /** Returns the conditions of a row, of which {@code Completed} makes kubectl hide the row on request. */
    public static Column conditions(Function<Row, JsonValue> conditions) {
        return new Column(Place.CONDITIONS, "", "", "", 0, "", conditions);
    }

    /** Returns the header as JSON. */
    public JsonObject definition() {
        return JsonObject.builder()
                .put("name", name)
                .put("type", type)
                .put("format", format)
                .put("description", description)
                .put("priority", priority)
                .build();
    }
}
