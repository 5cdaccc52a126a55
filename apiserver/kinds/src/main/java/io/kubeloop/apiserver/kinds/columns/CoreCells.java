/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.kinds.columns.Cells.AGE;
import static io.kubeloop.apiserver.kinds.columns.Cells.NAME;
import static io.kubeloop.apiserver.kinds.columns.Cells.containers;
import static io.kubeloop.apiserver.kinds.columns.Cells.flag;
import static io.kubeloop.apiserver.kinds.columns.Cells.labels;
import static io.kubeloop.apiserver.kinds.columns.Cells.number;
import static io.kubeloop.apiserver.kinds.columns.Cells.size;
import static io.kubeloop.apiserver.kinds.columns.Cells.string;
import static io.kubeloop.apiserver.kinds.columns.Cells.text;
import static java.util.Map.entry;

import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The cells of the kinds of the core group, of leases, priority classes and runtime classes. */
final class CoreCells {

    static final Map<String, List<Function<Row, JsonValue>>> TABLE = Map.ofEntries(
            entry("v1 Pod", PodCells.CELLS),
            entry("v1 Node", NodeCells.CELLS),
            entry("v1 Event", EventCells.CELLS),
            entry("v1 ResourceQuota", QuotaCells.CELLS),
            entry("v1 Namespace", List.of(NAME, string("status", "phase"), AGE)),
            entry("v1 ServiceAccount", List.of(NAME, AGE)),
            entry("v1 ConfigMap", List.of(NAME, CoreCells::entries, AGE)),
            entry("v1 Secret", List.of(NAME, string("type"), size("data"), AGE)),
            entry(
                    "v1 PodTemplate",
                    List.of(
                            NAME,
                            containers("name", "template", "spec"),
                            containers("image", "template", "spec"),
                            labels("template", "metadata", "labels"))),
            entry(
                    "v1 ComponentStatus",
                    List.of(
                            NAME,
                            text(CoreCells::health),
                            text(row -> healthy(row).string("message")),
                            text(row -> healthy(row).string("error")))),
            entry("coordination.k8s.io/v1 Lease", List.of(NAME, string("spec", "holderIdentity"), AGE)),
            entry("node.k8s.io/v1 RuntimeClass", List.of(NAME, string("handler"), AGE)),
            entry(
                    "scheduling.k8s.io/v1 PriorityClass",
                    List.of(NAME, number("value"), flag(false, "globalDefault"), AGE, string("preemptionPolicy"))));

    private CoreCells() {}

    private static JsonValue entries(Row row) {
        return JsonNumber.of(Cells.size(row.object(), "data") + Cells.size(row.object(), "binaryData"));
    }

    private static JsonObject healthy(Row row) {
        return row.object()
                .array("conditions")
                .objects()
                .filter(condition -> condition.string("type").equals("Healthy"))
                .findFirst()
                .orElse(JsonObject.EMPTY);
    }

    private static String health(Row row) {
        return switch (healthy(row).string("status")) {
            case "" -> "Unknown";
            case "True" -> "Healthy";
            default -> "Unhealthy";
        };
    }
}
