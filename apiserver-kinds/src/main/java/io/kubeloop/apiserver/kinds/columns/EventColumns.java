package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.table.Column.NAME;
import static io.kubeloop.apiserver.table.Column.number;
import static io.kubeloop.apiserver.table.Column.text;

import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Locale;

/** The columns of events. */
final class EventColumns {

    static final List<Column> COLUMNS = List.of(
            text("Last Seen", "The time since the last occurrence.", EventColumns::lastSeen),
            text(
                    "Type",
                    "The type of the event: Normal or Warning.",
                    row -> row.object().string("type")),
            text(
                    "Reason",
                    "The reason in machine-readable form.",
                    row -> row.object().string("reason")),
            text("Object", "The object that the event is about.", EventColumns::involved),
            text("Subobject", "The part of the object.", row -> row.object().string("involvedObject", "fieldPath"))
                    .wide(),
            text("Source", "The component that reported the event.", EventColumns::source)
                    .wide(),
            text(
                    "Message",
                    "The description of the event.",
                    row -> row.object().string("message").strip()),
            text("First Seen", "The time since the first occurrence.", EventColumns::firstSeen)
                    .wide(),
            number("Count", "The number of occurrences.", EventColumns::count).wide(),
            new Column(NAME.name(), NAME.type(), NAME.format(), 1, NAME.description(), NAME.cell()));

    private EventColumns() {}

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
        return row.object().object("series").isEmpty() ? Math.max(1, row.count("count")) : row.count("series", "count");
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
