package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.table.Column.AGE;
import static io.kubeloop.apiserver.table.Column.NAME;
import static io.kubeloop.apiserver.table.Column.text;

import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonNumber;
import java.util.List;
import java.util.function.ToLongFunction;

/** The columns of deployments. */
final class DeploymentColumns {

    static final List<Column> COLUMNS = List.of(
            NAME,
            text(
                    "Ready",
                    "The number of ready pods and of all pods.",
                    row -> row.count("status", "readyReplicas") + "/" + row.count("spec", "replicas")),
            count(
                    "Up-to-date",
                    "The number of pods with the newest template.",
                    row -> row.count("status", "updatedReplicas")),
            count(
                    "Available",
                    "The number of pods that have been ready for the minimum time.",
                    row -> row.count("status", "availableReplicas")),
            AGE,
            text("Containers", "The names of the containers.", row -> PodColumns.containers(row, "name"))
                    .wide(),
            text("Images", "The images of the containers.", row -> PodColumns.containers(row, "image"))
                    .wide(),
            text("Selector", "The selector of the pods.", row -> row.selector("spec", "selector"))
                    .wide());

    private DeploymentColumns() {}

    /** A number in a column of type string, as upstream. */
    private static Column count(String name, String description, ToLongFunction<Row> cell) {
        return new Column(name, "string", "", 0, description, row -> JsonNumber.of(cell.applyAsLong(row)));
    }
}
