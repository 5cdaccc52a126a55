package io.kubeloop.transport.memory.http.table;

import static io.kubeloop.transport.memory.http.table.Column.AGE;
import static io.kubeloop.transport.memory.http.table.Column.NAME;
import static io.kubeloop.transport.memory.http.table.Column.text;

import io.kubeloop.json.tree.JsonNumber;
import java.util.List;
import java.util.function.ToLongFunction;

/** The columns of deployments. */
final class DeploymentColumns {

    static final List<Column> COLUMNS = List.of(
            NAME,
            text(
                    "Ready",
                    "How many pods are ready, of how many.",
                    row -> row.count("status", "readyReplicas") + "/" + row.count("spec", "replicas")),
            count(
                    "Up-to-date",
                    "How many pods are of the newest template.",
                    row -> row.count("status", "updatedReplicas")),
            count(
                    "Available",
                    "How many pods have been ready for long enough.",
                    row -> row.count("status", "availableReplicas")),
            AGE,
            text("Containers", "The names of the containers.", row -> PodColumns.containers(row, "name"))
                    .wide(),
            text("Images", "The images of the containers.", row -> PodColumns.containers(row, "image"))
                    .wide(),
            text("Selector", "The pods that count.", row -> row.selector("spec", "selector"))
                    .wide());

    private DeploymentColumns() {}

    /** A number in a column that is said to hold texts, as upstream. */
    private static Column count(String name, String description, ToLongFunction<Row> cell) {
        return new Column(name, "string", "", 0, description, row -> JsonNumber.of(cell.applyAsLong(row)));
    }
}
