/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.kinds.columns.Cells.NAME;
import static io.kubeloop.apiserver.kinds.columns.Cells.string;
import static io.kubeloop.apiserver.kinds.columns.Cells.text;

import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The cells of events. */
final class EventCells {

    static final List<Function<Row, JsonValue>> CELLS = List.of(
            text(EventCells::lastSeen),
            string("type"),
            string("reason"),
            text(EventCells::involved),
            string("involvedObject", "fieldPath"),
            text(EventCells::source),
            text(row -> row.object().string("message").strip()),
            text(EventCells::firstSeen),
            row -> JsonNumber.of(count(row)),
            NAME);

    private EventCells() {}

    private static String firstSeen(Row row) {
        return row.object().string("firstTimestamp").isEmpty() ? row.age("eventTime") : row.age("firstTimestamp");
    }

    private static String lastSeen(Row row) {
        if (!row.object().object("series").isEmpty()) {
            return row.age("series", "lastObservedTime");
        }
        return row.object().string("lastTimestamp").isEmpty() ? firstSeen(row) : row.age("lastTimestamp");
    }

    /** An event without a count has occurred once. */
    private static long count(Row row) {
        if (row.object().object("series").isEmpty()) {
            return row.count("count") == 0 ? 1 : row.count("count");
        }
        return row.count("series", "count");
    }

    private static String involved(Row row) {
        JsonObject involved = row.object().object("involvedObject");
        String kind = involved.string("kind").toLowerCase(Locale.ROOT);
        return involved.string("name").isEmpty() ? kind : kind + "/" + involved.string("name");
    }

    private static String source(Row row) {
        JsonObject event = row.object();
        String component = event.string("source", "component").isEmpty()
                ? event.string("reportingComponent")
                : event.string("source", "component");
        String host = event.string("source", "host").isEmpty()
                ? event.string("reportingInstance")
                : event.string("source", "host");
        return host.isEmpty() ? component : component + ", " + host;
    }
}
