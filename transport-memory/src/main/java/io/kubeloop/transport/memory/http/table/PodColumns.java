package io.kubeloop.transport.memory.http.table;

import static io.kubeloop.transport.memory.http.table.Column.AGE;
import static io.kubeloop.transport.memory.http.table.Column.NAME;
import static io.kubeloop.transport.memory.http.table.Column.text;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;

/** The columns of pods. */
final class PodColumns {

    static final List<Column> COLUMNS = List.of(
            NAME,
            text(
                    "Ready",
                    "How many containers are ready, of how many.",
                    row -> PodSummary.of(row.object()).ready()),
            text(
                    "Status",
                    "What the pod is doing, in one word.",
                    row -> PodSummary.of(row.object()).reason()),
            text("Restarts", "How often containers were restarted, and when last.", PodColumns::restarts),
            AGE,
            text("IP", "The address of the pod.", PodColumns::address).wide(),
            text("Node", "The node that the pod is bound to.", row -> row.text("spec", "nodeName"))
                    .wide(),
            text(
                            "Nominated Node",
                            "The node where other pods make room for it.",
                            row -> row.text("status", "nominatedNodeName"))
                    .wide(),
            text("Readiness Gates", "How many extra conditions hold, of how many.", PodColumns::readinessGates)
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

    /** Returns a member of each container of the pod template, joined by commas. */
    static String containers(Row row, String member) {
        JsonObject template = row.object().object("spec", "template");
        return Row.joined(template.array("spec", "containers"), member);
    }
}
