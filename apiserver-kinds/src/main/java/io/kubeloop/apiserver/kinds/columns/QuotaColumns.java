package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.table.Column.AGE;
import static io.kubeloop.apiserver.table.Column.NAME;
import static io.kubeloop.apiserver.table.Column.text;

import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The columns of quotas: the used and the maximum amounts. */
final class QuotaColumns {

    static final List<Column> COLUMNS = List.of(
            NAME,
            text("Request", "The used and the maximum amounts of objects and requests.", row -> shares(row, false)),
            text("Limit", "The used and the maximum amounts of limits.", row -> shares(row, true)),
            AGE);

    private QuotaColumns() {}

    private static String shares(Row row, boolean limits) {
        JsonObject status = row.object().object("status");
        return new TreeSet<>(status.object("hard").members().keySet())
                .stream()
                        .filter(name -> name.startsWith("limits.") == limits)
                        .map(name -> name + ": " + amount(status, "used", name) + "/" + amount(status, "hard", name))
                        .collect(Collectors.joining(", "));
    }

    private static String amount(JsonObject status, String which, String name) {
        String amount = status.object(which).string(name);
        return amount.isEmpty() ? "0" : amount;
    }
}
