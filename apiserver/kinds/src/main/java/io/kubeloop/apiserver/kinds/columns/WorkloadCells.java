/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import static io.kubeloop.apiserver.kinds.columns.Cells.AGE;
import static io.kubeloop.apiserver.kinds.columns.Cells.NAME;
import static io.kubeloop.apiserver.kinds.columns.Cells.containers;
import static io.kubeloop.apiserver.kinds.columns.Cells.labels;
import static io.kubeloop.apiserver.kinds.columns.Cells.number;
import static io.kubeloop.apiserver.kinds.columns.Cells.selector;
import static io.kubeloop.apiserver.kinds.columns.Cells.size;
import static io.kubeloop.apiserver.kinds.columns.Cells.string;
import static io.kubeloop.apiserver.kinds.columns.Cells.stringOr;
import static io.kubeloop.apiserver.kinds.columns.Cells.text;
import static java.util.Map.entry;

import io.kubeloop.apiserver.table.HumanDuration;
import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The cells of the kinds that run pods, and of those that scale them and limit their disruption. */
final class WorkloadCells {

    private static final String[] POD = {"spec", "template", "spec"};
    private static final Function<Row, JsonValue> NAMES = containers("name", POD);
    private static final Function<Row, JsonValue> IMAGES = containers("image", POD);
    private static final Function<Row, JsonValue> SELECTOR = selector("spec", "selector");
    private static final Function<Row, JsonValue> DESIRED = number("spec", "replicas");
    private static final Function<Row, JsonValue> CURRENT = number("status", "replicas");
    private static final Function<Row, JsonValue> READY = number("status", "readyReplicas");
    private static final Function<Row, JsonValue> READY_OF_DESIRED =
            text(row -> row.count("status", "readyReplicas") + "/" + row.count("spec", "replicas"));

    static final Map<String, List<Function<Row, JsonValue>>> TABLE = Map.ofEntries(
            entry(
                    "v1 ReplicationController",
                    List.of(NAME, DESIRED, CURRENT, READY, AGE, NAMES, IMAGES, labels("spec", "selector"))),
            entry("apps/v1 ReplicaSet", List.of(NAME, DESIRED, CURRENT, READY, AGE, NAMES, IMAGES, SELECTOR)),
            entry(
                    "apps/v1 Deployment",
                    List.of(
                            NAME,
                            READY_OF_DESIRED,
                            number("status", "updatedReplicas"),
                            number("status", "availableReplicas"),
                            AGE,
                            NAMES,
                            IMAGES,
                            SELECTOR)),
            entry("apps/v1 StatefulSet", List.of(NAME, READY_OF_DESIRED, AGE, NAMES, IMAGES)),
            entry(
                    "apps/v1 DaemonSet",
                    List.of(
                            NAME,
                            number("status", "desiredNumberScheduled"),
                            number("status", "currentNumberScheduled"),
                            number("status", "numberReady"),
                            number("status", "updatedNumberScheduled"),
                            number("status", "numberAvailable"),
                            labels("spec", "template", "spec", "nodeSelector"),
                            AGE,
                            NAMES,
                            IMAGES,
                            SELECTOR)),
            entry(
                    "apps/v1 ControllerRevision",
                    List.of(NAME, text(WorkloadCells::controller), number("revision"), AGE)),
            entry(
                    "batch/v1 Job",
                    List.of(
                            NAME,
                            text(WorkloadCells::jobStatus),
                            text(WorkloadCells::completions),
                            text(WorkloadCells::duration),
                            AGE,
                            NAMES,
                            IMAGES,
                            SELECTOR)),
            entry(
                    "batch/v1 CronJob",
                    List.of(
                            NAME,
                            string("spec", "schedule"),
                            stringOr(Row.NONE, "spec", "timeZone"),
                            text(WorkloadCells::suspended),
                            size("status", "active"),
                            text(WorkloadCells::lastSchedule),
                            AGE,
                            containers("name", "spec", "jobTemplate", "spec", "template", "spec"),
                            containers("image", "spec", "jobTemplate", "spec", "template", "spec"),
                            selector("spec", "jobTemplate", "spec", "selector"))),
            entry(
                    "autoscaling/v2 HorizontalPodAutoscaler",
                    List.of(
                            NAME,
                            text(row -> row.object().string("spec", "scaleTargetRef", "kind") + "/"
                                    + row.object().string("spec", "scaleTargetRef", "name")),
                            text(row -> MetricCells.targets(row.object())),
                            stringOr(Cells.UNSET, "spec", "minReplicas"),
                            number("spec", "maxReplicas"),
                            number("status", "currentReplicas"),
                            AGE)),
            entry(
                    "policy/v1 PodDisruptionBudget",
                    List.of(
                            NAME,
                            stringOr("N/A", "spec", "minAvailable"),
                            stringOr("N/A", "spec", "maxUnavailable"),
                            number("status", "disruptionsAllowed"),
                            AGE)));

    private WorkloadCells() {}

    private static String controller(Row row) {
        return row.object()
                .array("metadata", "ownerReferences")
                .objects()
                .filter(owner -> owner.bool("controller"))
                .map(WorkloadCells::qualified)
                .findFirst()
                .orElse(Row.NONE);
    }

    private static String qualified(JsonObject owner) {
        String apiVersion = owner.string("apiVersion");
        int slash = apiVersion.indexOf('/');
        String kind = owner.string("kind") + (slash < 0 ? "" : "." + apiVersion.substring(0, slash));
        return kind.toLowerCase(Locale.ROOT) + "/" + owner.string("name");
    }

    private static String jobStatus(Row row) {
        if (Cells.condition(row, "Complete").equals("True")) {
            return "Complete";
        } else if (Cells.condition(row, "Failed").equals("True")) {
            return "Failed";
        } else if (row.object().object("metadata").has("deletionTimestamp")) {
            return "Terminating";
        }
        for (String type : List.of("Suspended", "FailureTarget", "SuccessCriteriaMet")) {
            if (Cells.condition(row, type).equals("True")) {
                return type;
            }
        }
        return "Running";
    }

    private static String completions(Row row) {
        long succeeded = row.count("status", "succeeded");
        if (row.object().get("spec", "completions") != null) {
            return succeeded + "/" + row.count("spec", "completions");
        }
        long parallelism = row.count("spec", "parallelism");
        return succeeded + (parallelism > 1 ? "/1 of " + parallelism : "/1");
    }

    private static String duration(Row row) {
        String start = row.object().string("status", "startTime");
        String end = row.object().string("status", "completionTime");
        if (start.isEmpty()) {
            return "";
        }
        return end.isEmpty()
                ? row.age("status", "startTime")
                : HumanDuration.format(Duration.between(Instant.parse(start), Instant.parse(end)));
    }

    private static String suspended(Row row) {
        if (row.object().get("spec", "suspend") == null) {
            return Cells.UNSET;
        }
        return row.object().bool("spec", "suspend") ? "True" : "False";
    }

    private static String lastSchedule(Row row) {
        String time = "lastScheduleTime";
        return row.object().string("status", time).isEmpty() ? Row.NONE : row.age("status", time);
    }

    /** The current and the target values of an autoscaler's metrics (upstream: {@code formatHPAMetrics}). */
    private static final class MetricCells {

        private static final int SHOWN = 2;
        private static final String AVERAGE = "averageValue";
        private static final String UTILIZATION = "averageUtilization";

        /** The member of a metric that has the details of its type. */
        private static final Map<String, String> MEMBERS = Map.of(
                "External", "external",
                "Pods", "pods",
                "Object", "object",
                "Resource", "resource",
                "ContainerResource", "containerResource");

        private MetricCells() {}

        static String targets(JsonObject autoscaler) {
            List<JsonObject> metrics =
                    autoscaler.array("spec", "metrics").objects().toList();
            List<JsonObject> current =
                    autoscaler.array("status", "currentMetrics").objects().toList();
            if (metrics.isEmpty()) {
                return Row.NONE;
            }
            List<String> shown = new ArrayList<>();
            for (int i = 0; i < Math.min(metrics.size(), SHOWN); i++) {
                shown.add(target(metrics.get(i), i < current.size() ? current.get(i) : JsonObject.EMPTY));
            }
            String text = String.join(", ", shown);
            return metrics.size() > SHOWN ? text + " + " + (metrics.size() - SHOWN) + " more..." : text;
        }

        private static String target(JsonObject metric, JsonObject status) {
            String type = metric.string("type");
            String member = MEMBERS.get(type);
            if (member == null) {
                return "<unknown type>";
            }
            JsonObject target = metric.object(member, "target");
            JsonObject current = status.object(member, "current");
            boolean averages = target.has(AVERAGE);
            return switch (type) {
                case "Pods" -> ratio(current, target, AVERAGE);
                case "External", "Object" ->
                    averages ? ratio(current, target, AVERAGE) + " (avg)" : ratio(current, target, "value");
                default ->
                    metric.string(member, "name") + ": "
                            + (averages ? ratio(current, target, AVERAGE) : utilization(current, target));
            };
        }

        private static String ratio(JsonObject current, JsonObject target, String field) {
            return Cells.plain(current, current.isEmpty() || field.equals(AVERAGE) ? Cells.UNKNOWN : "0", field) + "/"
                    + Cells.plain(target, "0", field);
        }

        private static String utilization(JsonObject current, JsonObject target) {
            return percent(current, Cells.UNKNOWN) + "/" + percent(target, "<auto>");
        }

        private static String percent(JsonObject value, String absent) {
            Long percent = value.number(UTILIZATION);
            return percent == null ? absent : percent + "%";
        }
    }
}
