package io.kubeloop.transport.memory.http.table;

import static io.kubeloop.transport.memory.http.table.Column.NAME;
import static io.kubeloop.transport.memory.http.table.Column.number;
import static io.kubeloop.transport.memory.http.table.Column.text;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.Locale;

/** The columns of events. */
final class EventColumns {

    static final List<Column> COLUMNS = List.of(
            text("Last Seen", "When it happened last.", EventColumns::lastSeen),
            text("Type", "Whether it is a warning.", row -> row.object().string("type")),
            text("Reason", "What happened, for programs.", row -> row.object().string("reason")),
            text("Object", "What it happened to.", EventColumns::involved),
            text("Subobject", "Which part of that.", row -> row.object().string("involvedObject", "fieldPath"))
                    .wide(),
            text("Source", "Who says so.", EventColumns::source).wide(),
            text(
                    "Message",
                    "What happened, for people.",
                    row -> row.object().string("message").strip()),
            text("First Seen", "When it happened first.", EventColumns::firstSeen)
                    .wide(),
            number("Count", "How often it happened.", EventColumns::count).wide(),
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

    /** An event that does not count has happened once. */
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
