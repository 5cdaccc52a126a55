/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import io.kubeloop.apiserver.storage.codec.Conversion;
import io.kubeloop.apiserver.storage.codec.StorageForm;
import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.schema.ApiResource;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns of each kind. Their names, types, formats and priorities are recorded from kube-apiserver 1.37.2; the
 * cells are functions of the tables {@code ...Cells.TABLE}. Most columns have no description, because upstream's are
 * prose. Static functions only.
 */
public final class Layouts {

    private static final Map<String, List<Function<Row, JsonValue>>> CELLS = merged(
            List.of(CoreCells.TABLE, WorkloadCells.TABLE, NetworkCells.TABLE, StorageCells.TABLE, AccessCells.TABLE));

    /** Kinds without a printer of their own upstream. */
    private static final List<Function<Row, JsonValue>> DEFAULT = List.of(Cells.NAME, Cells.CREATED);

    private Layouts() {}

    private static Map<String, List<Function<Row, JsonValue>>> merged(
            List<Map<String, List<Function<Row, JsonValue>>>> tables) {
        Map<String, List<Function<Row, JsonValue>>> all = new HashMap<>();
        tables.forEach(all::putAll);
        return Map.copyOf(all);
    }

    /**
     * Returns the columns of a kind.
     *
     * @param storage the form in which its objects are stored; the cells are computed from it
     */
    public static List<Column> of(ApiResource listed, StorageForm storage) {
        String key = storage.apiVersion() + " " + listed.kind();
        List<Function<Row, JsonValue>> cells = CELLS.getOrDefault(key, DEFAULT);
        List<ApiResource.Column> headers = listed.columns();
        if (headers.isEmpty()) {
            return List.of(Column.NAME, Column.CREATED_AT); // a kind that is never listed, such as a review
        }
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            Function<Row, JsonValue> cell = stored(storage.conversion(), cells.get(i));
            columns.add(i < headers.size() ? column(headers.get(i), cell) : Column.extra(cell));
        }
        if (key.equals("v1 Pod")) {
            columns.add(Column.conditions(PodCells::conditions));
        }
        return columns;
    }

    private static Function<Row, JsonValue> stored(@Nullable Conversion conversion, Function<Row, JsonValue> cell) {
        return conversion == null ? cell : row -> cell.apply(row.of(conversion.toStorage(row.object())));
    }

    private static Column column(ApiResource.Column header, Function<Row, JsonValue> cell) {
        String description = switch (header.name()) {
            case "Name" -> Column.NAME.description();
            case "Age" -> Column.AGE.description();
            default -> "";
        };
        return new Column(header.name(), header.type(), header.format(), header.priority(), description, cell);
    }
}
