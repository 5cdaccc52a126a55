package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.table.Column.AGE;
import static io.kubeloop.apiserver.table.Column.NAME;
import static io.kubeloop.apiserver.table.Column.text;

import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.table.HumanDuration;
import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** The columns of pods. */
final class PodColumns {

    static final List<Column> COLUMNS = List.of(
            NAME,
            text(
                    "Ready",
                    "The number of ready containers and of all containers.",
                    row -> PodSummary.of(row.object()).ready()),
            text(
                    "Status",
                    "The state of the pod in one word.",
                    row -> PodSummary.of(row.object()).reason()),
            text(
                    "Restarts",
                    "The number of container restarts, and the time since the last one.",
                    PodColumns::restarts),
            AGE,
            text("IP", "The address of the pod.", PodColumns::address).wide(),
            text("Node", "The node that the pod is bound to.", row -> row.text("spec", "nodeName"))
                    .wide(),
            text(
                            "Nominated Node",
                            "The node on which other pods are preempted for this pod.",
                            row -> row.text("status", "nominatedNodeName"))
                    .wide(),
            text(
                            "Readiness Gates",
                            "The number of satisfied readiness gates and of all gates.",
                            PodColumns::readinessGates)
                    .wide());

    private PodColumns() {}

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

    /** Returns a member of each container in the pod template, joined by commas. */
    static String containers(Row row, String member) {
        JsonObject template = row.object().object("spec", "template");
        return Row.joined(template.array("spec", "containers"), member);
    }
}
