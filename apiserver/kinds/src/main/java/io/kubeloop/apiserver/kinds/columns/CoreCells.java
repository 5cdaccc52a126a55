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
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

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

    /** The cells of events. */
    private static final class EventCells {

        static final List<Function<Row, JsonValue>> CELLS = List.of(
                text(EventCells::lastSeen),
                string("type"),
                string("reason"),
                text(EventCells::involved),
                string("involvedObject", "fieldPath"),
                text(EventCells::source),
                text(row -> row.object().string("message").strip()),
                text(EventCells::firstSeen),
                row -> JsonNumber.of(count(row)),
                NAME);

        private EventCells() {}

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
            if (row.object().object("series").isEmpty()) {
                return row.count("count") == 0 ? 1 : row.count("count");
            }
            return row.count("series", "count");
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

    /** The cells of nodes. */
    private static final class NodeCells {

        private static final String ROLE_LABEL = "node-role.kubernetes.io/";

        static final List<Function<Row, JsonValue>> CELLS = List.of(
                NAME,
                text(NodeCells::status),
                text(NodeCells::roles),
                AGE,
                string("status", "nodeInfo", "kubeletVersion"),
                text(row -> address(row, "InternalIP")),
                text(row -> address(row, "ExternalIP")),
                text(row -> info(row, "osImage")),
                text(NodeCells::kernel),
                text(row -> info(row, "containerRuntimeVersion")));

        private NodeCells() {}

        private static String status(Row row) {
            String ready = row.object()
                    .array("status", "conditions")
                    .objects()
                    .filter(condition -> condition.string("type").equals("Ready"))
                    .map(condition -> condition.string("status").equals("True") ? "Ready" : "NotReady")
                    .findFirst()
                    .orElse("Unknown");
            return row.object().bool("spec", "unschedulable") ? ready + ",SchedulingDisabled" : ready;
        }

        private static String roles(Row row) {
            TreeSet<String> roles = new TreeSet<>();
            row.object().object("metadata", "labels").members().keySet().stream()
                    .filter(label -> label.startsWith(ROLE_LABEL) && label.length() > ROLE_LABEL.length())
                    .map(label -> label.substring(ROLE_LABEL.length()))
                    .forEach(roles::add);
            String role = row.object().string("metadata", "labels", "kubernetes.io/role");
            if (!role.isEmpty()) {
                roles.add(role);
            }
            return Row.orNone(String.join(",", roles));
        }

        private static String address(Row row, String type) {
            return row.object()
                    .array("status", "addresses")
                    .objects()
                    .filter(address -> address.string("type").equals(type))
                    .map(address -> address.string("address"))
                    .findFirst()
                    .orElse(Row.NONE);
        }

        private static String kernel(Row row) {
            String architecture = row.object().string("status", "nodeInfo", "architecture");
            return info(row, "kernelVersion") + (architecture.isEmpty() ? "" : " (" + architecture + ")");
        }

        private static String info(Row row, String member) {
            String text = row.object().string("status", "nodeInfo", member);
            return text.isEmpty() ? Cells.UNKNOWN : text;
        }
    }

    /** The cells of quotas: the used and the maximum amounts. */
    private static final class QuotaCells {

        static final List<Function<Row, JsonValue>> CELLS =
                List.of(NAME, text(row -> shares(row, false)), text(row -> shares(row, true)), AGE);

        private QuotaCells() {}

        private static String shares(Row row, boolean limits) {
            JsonObject status = row.object().object("status");
            return new TreeSet<>(status.object("hard").members().keySet())
                    .stream()
                            .filter(name -> name.startsWith("limits.") == limits)
                            .map(name ->
                                    name + ": " + amount(status, "used", name) + "/" + amount(status, "hard", name))
                            .collect(Collectors.joining(", "));
        }

        private static String amount(JsonObject status, String which, String name) {
            String amount = status.object(which).string(name);
            return amount.isEmpty() ? "0" : amount;
        }
    }
}
