package io.kubeloop.transport.memory.http.table;

import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * One column of a table.
 *
 * @param name its header
 * @param type what its cells are: {@code string} or {@code integer}
 * @param format {@code name} for the column that identifies the row, else empty
 * @param priority 0 to be shown always, 1 only where there is room ({@code -o wide})
 * @param description what it shows, for people
 * @param cell makes a cell
 */
record Column(
        String name, String type, String format, int priority, String description, Function<Row, JsonValue> cell) {

    /** The column that every table begins with. */
    static final Column NAME = new Column(
            "Name",
            "string",
            "name",
            0,
            "The name of the object, unique among objects of its kind in its namespace.",
            row -> new JsonString(row.object().string("metadata", "name")));

    /** The column that most tables have. */
    static final Column AGE =
            text("Age", "How long ago the object was created.", row -> row.age("metadata", "creationTimestamp"));

    /** What upstream's table has, instead of an age, of kinds that it has no columns for. */
    static final Column CREATED_AT = new Column(
            "Created At",
            "date",
            "",
            0,
            "When the object was created.",
            row -> new JsonString(row.object().string("metadata", "creationTimestamp")));

    static Column text(String name, String description, Function<Row, String> cell) {
        return new Column(name, "string", "", 0, description, row -> new JsonString(cell.apply(row)));
    }

    static Column number(String name, String description, ToLongFunction<Row> cell) {
        return new Column(name, "integer", "", 0, description, row -> JsonNumber.of(cell.applyAsLong(row)));
    }

    /** Returns this column, shown only where there is room. */
    Column wide() {
        return new Column(name, type, format, 1, description, cell);
    }

    JsonObject definition() {
        return JsonObject.builder()
                .put("name", name)
                .put("type", type)
                .put("format", format)
                .put("description", description)
                .put("priority", priority)
                .build();
    }
}
