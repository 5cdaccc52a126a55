/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.kinds.columns.Cells.AGE;
import static io.kubeloop.apiserver.kinds.columns.Cells.NAME;
import static io.kubeloop.apiserver.kinds.columns.Cells.text;

import io.kubeloop.apiserver.table.HumanDuration;
import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.function.Function;

/** The cells of pods. */
final class PodCells {

    static final List<Function<Row, JsonValue>> CELLS = List.of(
            NAME,
            text(row -> PodSummary.of(row.object()).ready()),
            text(row -> PodSummary.of(row.object()).reason()),
            text(PodCells::restarts),
            AGE,
            text(PodCells::address),
            text(row -> row.text("spec", "nodeName")),
            text(row -> row.text("status", "nominatedNodeName")),
            text(PodCells::readinessGates));

    private PodCells() {}

    private static String restarts(Row row) {
        PodSummary pod = PodSummary.of(row.object());
        return pod.restarts() == 0 || pod.lastRestart().isEmpty()
                ? Long.toString(pod.restarts())
                : pod.restarts() + " (" + HumanDuration.since(pod.lastRestart(), row.now()) + " ago)";
    }

    private static String address(Row row) {
        return row.object()
                .array("status", "podIPs")
                .objects()
                .map(address -> address.string("ip"))
                .findFirst()
                .map(Row::orNone)
                .orElseGet(() -> row.text("status", "podIP"));
    }

    private static String readinessGates(Row row) {
        JsonArray gates = row.object().array("spec", "readinessGates");
        if (gates.isEmpty()) {
            return Row.NONE;
        }
        JsonArray conditions = row.object().array("status", "conditions");
        long holding = gates.objects()
                .filter(gate -> conditions
                        .objects()
                        .anyMatch(condition -> condition.string("type").equals(gate.string("conditionType"))
                                && condition.string("status").equals("True")))
                .count();
        return holding + "/" + gates.size();
    }

    /** Returns the conditions of the row of a pod that has ended; null for any other pod. */
    static JsonValue conditions(Row row) {
        String phase = row.object().string("status", "phase");
        String message = switch (phase) {
            case "Succeeded" -> "The pod has completed successfully.";
            case "Failed" -> "The pod failed.";
            default -> "";
        };
        return message.isEmpty()
                ? JsonNull.NULL
                : JsonArray.of(JsonObject.EMPTY
                        .with("type", "Completed")
                        .with("status", "True")
                        .with("reason", phase)
                        .with("message", message));
    }
}
