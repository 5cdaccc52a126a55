/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.table;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Converts objects, lists and watch events into {@code meta.k8s.io} tables. Thread-safe. */
public final class Tables {

    /** The part of the object that each row contains. */
    public enum IncludeObject {
        /** Nothing. */
        NONE,
        /** Its metadata. */
        METADATA,
        /** The whole object. */
        OBJECT;

        /**
         * Parses the query parameter {@code includeObject}; the default is the metadata. Returns null for an
         * unknown value.
         */
        public static @Nullable IncludeObject of(String parameter) {
            return switch (parameter) {
                case "None" -> NONE;
                case "", "Metadata" -> METADATA;
                case "Object" -> OBJECT;
                default -> null;
            };
        }
    }

    /** The columns of the scale of an object. */
    public static final List<Column> SCALE = List.of(
            new Column("Name", "string", "", 0, Column.NAME.description(), Column.NAME.cell()),
            new Column(
                    "Desired",
                    "integer",
                    "",
                    0,
                    "The wanted number of instances.",
                    row -> JsonNumber.of(row.count("spec", "replicas"))),
            new Column(
                    "Available",
                    "integer",
                    "",
                    0,
                    "The observed number of instances.",
                    row -> JsonNumber.of(row.count("status", "replicas"))),
            Column.AGE);

    private final BiFunction<String, String, List<Column>> columns;
    private final Clock clock;

    /**
     * Creates tables.
     *
     * @param columns returns the columns of an {@code apiVersion} and a {@code kind}
     * @param clock the clock of the ages
     */
    public Tables(BiFunction<String, String, List<Column>> columns, Clock clock) {
        this.columns = columns;
        this.clock = clock;
    }

    /**
     * Returns the table of an object or a list. A {@code Status} is returned unchanged.
     *
     * @param version the requested version of the table, such as {@code v1}
     */
    public JsonObject of(JsonObject answer, String version, IncludeObject include) {
        String kind = answer.string("kind");
        if (kind.equals("Status")) {
            return answer;
        }
        boolean isList = kind.endsWith("List") && answer.has("items");
        String itemKind = isList ? kind.substring(0, kind.length() - "List".length()) : kind;
        String apiVersion = answer.string("apiVersion");
        List<JsonObject> objects = isList
                ? answer.array("items")
                        .objects()
                        .map(item -> identified(item, itemKind, apiVersion))
                        .toList()
                : List.of(answer);
        List<Column> shown = columns.apply(apiVersion, itemKind);
        JsonArray rows = rows(shown, objects, isList, version, include);
        return table(version, listMetadata(answer), definitions(shown), rows);
    }

    /**
     * Returns the metadata of a list in another representation, which has the token of its next page only if there is
     * one.
     */
    public static JsonObject listMetadata(JsonObject list) {
        JsonObject metadata = list.object("metadata");
        JsonObject.Builder shown = JsonObject.builder();
        for (String member : List.of("resourceVersion", "continue", "remainingItemCount")) {
            JsonValue value = metadata.get(member);
            if (value != null && !value.equals(new JsonString(""))) {
                shown.put(member, value);
            }
        }
        return shown.build();
    }

    /** Items of a list do not name their kind; objects in rows do. */
    private static JsonObject identified(JsonObject item, String kind, String apiVersion) {
        if (item.has("kind")) {
            return item;
        }
        JsonObject.Builder identified = JsonObject.builder().put("kind", kind).put("apiVersion", apiVersion);
        item.members().forEach(identified::put);
        return identified.build();
    }

    /**
     * Returns a watch event with a table of one row. The table of a bookmark has no rows, and an error event is
     * returned unchanged.
     *
     * @param first whether this is the first event of the watch; later events omit the column definitions
     */
    public JsonObject ofEvent(JsonObject event, String version, IncludeObject include, boolean first) {
        JsonObject object = event.object("object");
        String type = event.string("type");
        if (type.equals("ERROR")) {
            return event;
        }
        List<Column> shown = columns.apply(object.string("apiVersion"), object.string("kind"));
        JsonObject metadata = JsonObject.EMPTY.with("resourceVersion", object.string("metadata", "resourceVersion"));
        JsonArray rows =
                type.equals("BOOKMARK") ? JsonArray.EMPTY : rows(shown, List.of(object), false, version, include);
        JsonValue definitions = first ? definitions(shown) : JsonNull.NULL;
        return event.with("object", table(version, metadata, definitions, rows));
    }

    private static JsonObject table(String version, JsonObject metadata, JsonValue definitions, JsonArray rows) {
        return JsonObject.builder()
                .put("kind", "Table")
                .put("apiVersion", "meta.k8s.io/" + version)
                .put("metadata", metadata)
                .put("columnDefinitions", definitions)
                .put("rows", rows)
                .build();
    }

    private static JsonArray definitions(List<Column> columns) {
        return JsonArray.of(columns.stream()
                .filter(column -> column.place() == Column.Place.CELL)
                .map(Column::definition)
                .toList());
    }

    /** Returns the metadata of an object as a {@code PartialObjectMetadata} of this version. */
    public static JsonObject metadataOf(JsonObject object, String version) {
        return JsonObject.builder()
                .put("kind", "PartialObjectMetadata")
                .put("apiVersion", "meta.k8s.io/" + version)
                .put("metadata", object.object("metadata"))
                .build();
    }

    private JsonArray rows(
            List<Column> columns, List<JsonObject> objects, boolean isList, String version, IncludeObject include) {
        Instant now = clock.instant();
        List<JsonValue> rows = new ArrayList<>(objects.size());
        for (JsonObject object : objects) {
            Row row = new Row(object, now, isList ? objects : List.of());
            JsonObject.Builder built = JsonObject.builder();
            List<JsonValue> cells = new ArrayList<>(columns.size());
            for (Column column : columns) {
                JsonValue value = column.cell().apply(row);
                if (column.place() != Column.Place.CONDITIONS) {
                    cells.add(value);
                } else if (value != JsonNull.NULL) {
                    built.put("conditions", value);
                }
            }
            built.put("cells", JsonArray.of(cells));
            built.put(
                    "object",
                    switch (include) {
                        case NONE -> JsonNull.NULL;
                        case METADATA -> metadataOf(object, version);
                        case OBJECT -> object;
                    });
            rows.add(built.build());
        }
        return JsonArray.of(rows);
    }
}
