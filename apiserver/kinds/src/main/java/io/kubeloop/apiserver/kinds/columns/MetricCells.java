/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.columns;

import io.kubeloop.apiserver.table.Row;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The current and the target values of an autoscaler's metrics (upstream: {@code formatHPAMetrics}). */
final class MetricCells {

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
        List<JsonObject> metrics = autoscaler.array("spec", "metrics").objects().toList();
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
