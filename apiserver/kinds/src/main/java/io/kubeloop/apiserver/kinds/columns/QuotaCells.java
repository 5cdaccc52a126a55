/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.kinds.columns.Cells.AGE;
import static io.kubeloop.apiserver.kinds.columns.Cells.NAME;
import static io.kubeloop.apiserver.kinds.columns.Cells.text;

import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The cells of quotas: the used and the maximum amounts. */
final class QuotaCells {

    static final List<Function<Row, JsonValue>> CELLS =
            List.of(NAME, text(row -> shares(row, false)), text(row -> shares(row, true)), AGE);

    private QuotaCells() {}

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
