package io.kubeloop.apiserver.table;

import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * One column of a table.
 *
 * @param name the header
 * @param type the type of the cells: {@code string} or {@code integer}
 * @param format {@code name} for the column that identifies the row, otherwise empty
 * @param priority 0 for a column that is always shown, 1 for one that {@code kubectl get -o wide} adds
 * @param description the description for users
 * @param cell computes a cell
 */
public record Column(
        String name, String type, String format, int priority, String description, Function<Row, JsonValue> cell) {

    /** The first column of every table. */
    public static final Column NAME = new Column(
            "Name",
            "string",
            "name",
            0,
            "The name of the object, unique among objects of its kind in its namespace.",
            row -> new JsonString(row.object().string("metadata", "name")));

    /** The age column of most tables. */
    public static final Column AGE =
            text("Age", "The time since the creation of the object.", row -> row.age("metadata", "creationTimestamp"));

    /** The column that upstream shows instead of the age for kinds without columns of their own. */
    public static final Column CREATED_AT = new Column(
            "Created At",
            "date",
            "",
            0,
            "The time of the creation.",
            row -> new JsonString(row.object().string("metadata", "creationTimestamp")));

    public static Column text(String name, String description, Function<Row, String> cell) {
        return new Column(name, "string", "", 0, description, row -> new JsonString(cell.apply(row)));
    }

    public static Column number(String name, String description, ToLongFunction<Row> cell) {
        return new Column(name, "integer", "", 0, description, row -> JsonNumber.of(cell.applyAsLong(row)));
    }

    /** Returns this column with the priority of {@code -o wide}. */
    public Column wide() {
        return new Column(name, type, format, 1, description, cell);
    }

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
