/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.conversion;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.storage.codec.Conversion;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts autoscalers of version {@code v1} to and from version {@code v2} (upstream: {@code
 * pkg/apis/autoscaling/v1/conversion.go}). Version 1 has a field for the utilization of the CPU only. It keeps the
 * other metrics, the behavior and the conditions as JSON in annotations.
 */
final class AutoscalerConversion implements Conversion {

    private static final String PREFIX = "autoscaling.alpha.kubernetes.io/";
    private static final String METRICS = PREFIX + "metrics";
    private static final String CURRENT_METRICS = PREFIX + "current-metrics";
    private static final String CONDITIONS = PREFIX + "conditions";
    private static final String BEHAVIOR = PREFIX + "behavior";
    static final List<String> ANNOTATIONS = List.of(
            METRICS,
            CURRENT_METRICS,
            CONDITIONS,
            BEHAVIOR,
            PREFIX + "scale-down-tolerance",
            PREFIX + "scale-up-tolerance");

    private static final List<String> STATUS = List.of(
            "observedGeneration",
            "lastScaleTime",
            "currentReplicas",
            "desiredReplicas",
            "currentCPUUtilizationPercentage");
    private static final long DEFAULT_UTILIZATION = 80;
    private static final String CPU_UTILIZATION = "targetCPUUtilizationPercentage";

    @Override
    public JsonObject toStorage(JsonObject served) {
        JsonObject annotations = served.object("metadata", "annotations");
        JsonObject spec = served.object("spec");
        List<JsonValue> metrics = new ArrayList<>();
        list(annotations, METRICS).objects().map(MetricForms::toV2).forEach(metrics::add);
        Long utilization = spec.number(CPU_UTILIZATION);
        if (utilization != null || metrics.isEmpty()) {
            metrics.add(cpu(utilization == null ? DEFAULT_UTILIZATION : utilization));
        }
        JsonObject v2Spec = spec.without(CPU_UTILIZATION).with("metrics", JsonArray.of(metrics));
        JsonObject behavior = BehaviorAnnotation.read(parse(annotations, BEHAVIOR));
        if (!behavior.isEmpty()) {
            v2Spec = v2Spec.with("behavior", behavior);
        }
        return withoutAnnotations(served.with("apiVersion", "autoscaling/v2").with("spec", v2Spec))
                .with("status", statusToV2(served.object("status"), annotations));
    }

    private static JsonObject statusToV2(JsonObject status, JsonObject annotations) {
        List<JsonValue> metrics = new ArrayList<>();
        list(annotations, CURRENT_METRICS)
                .objects()
                .map(MetricForms::statusToV2)
                .forEach(metrics::add);
        Long utilization = status.number("currentCPUUtilizationPercentage");
        if (metrics.isEmpty() && utilization != null) {
            metrics.add(cpuMetric("current", JsonObject.EMPTY.with("averageUtilization", utilization)));
        }
        JsonObject result = status.without("currentCPUUtilizationPercentage");
        result = metrics.isEmpty() ? result : result.with("currentMetrics", JsonArray.of(metrics));
        JsonArray conditions = list(annotations, CONDITIONS);
        return conditions.isEmpty() ? result : result.with("conditions", conditions);
    }

    @Override
    public JsonObject fromStorage(JsonObject stored) {
        JsonObject spec = stored.object("spec");
        JsonObject served = withoutAnnotations(stored.with("apiVersion", "autoscaling/v1"));
        JsonObject v1Spec = spec.without("metrics").without("behavior");
        List<JsonValue> others = new ArrayList<>();
        Long utilization = null;
        for (JsonObject metric : spec.array("metrics").objects().toList()) {
            Long target = metric.number("resource", "target", "averageUtilization");
            if (isCpu(metric) && target != null) {
                utilization = utilization == null ? target : utilization;
            } else {
                others.add(MetricForms.toV1(metric));
            }
        }
        v1Spec = utilization == null ? v1Spec : v1Spec.with(CPU_UTILIZATION, utilization);
        served = served.with("spec", v1Spec).with("status", statusToV1(stored.object("status")));
        served = annotated(served, METRICS, JsonArray.of(others));
        JsonArray current = stored.array("status", "currentMetrics");
        served = annotated(
                served,
                CURRENT_METRICS,
                JsonArray.of(current.objects().map(MetricForms::statusToV1).toList()));
        if (spec.get("behavior") instanceof JsonObject behavior) {
            served = annotated(served, BEHAVIOR, BehaviorAnnotation.written(behavior));
        }
        return annotated(served, CONDITIONS, stored.array("status", "conditions"));
    }

    private static JsonObject statusToV1(JsonObject status) {
        JsonObject counted =
                status.has("currentReplicas") ? status : status.with("currentReplicas", 0); // v1 shows it always
        JsonObject result = counted.without("currentMetrics").without("conditions");
        for (JsonObject metric : status.array("currentMetrics").objects().toList()) {
            Long utilization = metric.number("resource", "current", "averageUtilization");
            if (isCpu(metric) && utilization != null) {
                result = result.with("currentCPUUtilizationPercentage", utilization);
            }
        }
        JsonObject.Builder ordered = JsonObject.builder();
        for (String field : STATUS) {
            JsonValue value = result.get(field);
            if (value != null) {
                ordered.put(field, value);
            }
        }
        return ordered.build();
    }

    private static JsonObject annotated(JsonObject object, String annotation, JsonValue value) {
        boolean empty = value instanceof JsonArray array && array.isEmpty();
        return empty
                ? object
                : Meta.with(
                        object,
                        "annotations",
                        object.object("metadata", "annotations").with(annotation, value.toString()));
    }

    private static boolean isCpu(JsonObject metric) {
        return metric.string("type").equals("Resource")
                && metric.string("resource", "name").equals("cpu");
    }

    private static JsonObject cpu(long utilization) {
        return cpuMetric(
                "target", JsonObject.EMPTY.with("type", "Utilization").with("averageUtilization", utilization));
    }

    private static JsonObject cpuMetric(String member, JsonObject value) {
        return JsonObject.EMPTY
                .with("type", "Resource")
                .with("resource", JsonObject.EMPTY.with("name", "cpu").with(member, value));
    }

    private static JsonObject withoutAnnotations(JsonObject object) {
        JsonObject annotations = object.object("metadata", "annotations");
        for (String annotation : ANNOTATIONS) {
            annotations = annotations.without(annotation);
        }
        return annotations.isEmpty()
                ? Meta.without(object, "annotations")
                : Meta.with(object, "annotations", annotations);
    }

    /** Returns the JSON in an annotation; null if there is none. As upstream, text that is not JSON is ignored. */
    private static JsonValue parse(JsonObject annotations, String annotation) {
        String text = annotations.string(annotation);
        try {
            return text.isEmpty() ? JsonNull.NULL : JsonValue.parse(text);
        } catch (DecodeException e) {
            return JsonNull.NULL;
        }
    }

    private static JsonArray list(JsonObject annotations, String annotation) {
        return parse(annotations, annotation) instanceof JsonArray list ? list : JsonArray.EMPTY;
    }

    /** The two forms of one metric: version 1 has the target in flat fields. */
    private static final class MetricForms {

        private MetricForms() {}

        static JsonObject toV2(JsonObject metric) {
            String type = metric.string("type");
            String member = member(type);
            JsonObject source = metric.object(member);
            JsonObject result = switch (type) {
                case "Object" -> {
                    boolean average = source.has("averageValue");
                    JsonObject target =
                            target(average ? "AverageValue" : "Value", source, "targetValue", "averageValue", "");
                    boolean zero = average && source.string("targetValue").equals("0");
                    yield JsonObject.EMPTY
                            .with("describedObject", source.object("target"))
                            .with("target", zero ? target.without("value") : target)
                            .with("metric", metric(source, "selector"));
                }
                case "Pods" ->
                    JsonObject.EMPTY
                            .with("metric", metric(source, "selector"))
                            .with("target", target("AverageValue", source, "", "targetAverageValue", ""));
                case "External" ->
                    JsonObject.EMPTY
                            .with("metric", metric(source, "metricSelector"))
                            .with(
                                    "target",
                                    target(
                                            source.has("targetValue") ? "Value" : "AverageValue",
                                            source,
                                            "targetValue",
                                            "targetAverageValue",
                                            ""));
                default -> {
                    JsonObject target = target(
                            source.has("targetAverageUtilization") ? "Utilization" : "AverageValue",
                            source,
                            "",
                            "targetAverageValue",
                            "targetAverageUtilization");
                    yield named(source).with("target", target);
                }
            };
            return JsonObject.EMPTY.with("type", type).with(member, result);
        }

        static JsonObject statusToV2(JsonObject metric) {
            String type = metric.string("type");
            String member = member(type);
            JsonObject source = metric.object(member);
            JsonObject result = switch (type) {
                case "Object" ->
                    JsonObject.EMPTY
                            .with("metric", metric(source, "selector"))
                            .with("current", values(source, "currentValue", "averageValue", ""))
                            .with("describedObject", source.object("target"));
                case "Pods" ->
                    JsonObject.EMPTY
                            .with("metric", metric(source, "selector"))
                            .with("current", values(source, "", "currentAverageValue", ""));
                case "External" ->
                    JsonObject.EMPTY
                            .with("metric", metric(source, "metricSelector"))
                            .with("current", values(source, "currentValue", "currentAverageValue", ""));
                default ->
                    named(source)
                            .with("current", values(source, "", "currentAverageValue", "currentAverageUtilization"));
            };
            return JsonObject.EMPTY.with("type", type).with(member, result);
        }

        static JsonObject toV1(JsonObject metric) {
            String type = metric.string("type");
            JsonObject source = metric.object(member(type));
            return JsonObject.EMPTY.with("type", type).with(member(type), flat(type, source, "target", "target"));
        }

        static JsonObject statusToV1(JsonObject metric) {
            String type = metric.string("type");
            JsonObject source = metric.object(member(type));
            return JsonObject.EMPTY.with("type", type).with(member(type), flat(type, source, "current", "current"));
        }

        /** Returns the flat form; the names of its values begin with the prefix. */
        private static JsonObject flat(String type, JsonObject source, String member, String prefix) {
            JsonObject values = source.object(member);
            JsonObject metric = source.object("metric");
            JsonObject named = JsonObject.EMPTY.with("metricName", metric.string("name"));
            return switch (type) {
                case "Object" -> {
                    JsonObject result = JsonObject.EMPTY
                            .with("target", source.object("describedObject"))
                            .with("metricName", metric.string("name"));
                    result = put(result, prefix + "Value", values.get("value"), "0");
                    result = put(result, "selector", metric.get("selector"), "");
                    yield put(result, "averageValue", values.get("averageValue"), "");
                }
                case "Pods" ->
                    put(
                            put(named, prefix + "AverageValue", values.get("averageValue"), "0"),
                            "selector",
                            metric.get("selector"),
                            "");
                case "External" -> {
                    JsonObject result = put(named, "metricSelector", metric.get("selector"), "");
                    boolean isStatus = prefix.equals("current");
                    result = put(result, prefix + "Value", values.get("value"), isStatus ? "0" : "");
                    yield put(result, prefix + "AverageValue", values.get("averageValue"), "");
                }
                default -> {
                    JsonObject result = JsonObject.EMPTY.with("name", source.string("name"));
                    result = put(result, prefix + "AverageUtilization", values.get("averageUtilization"), "");
                    boolean isStatus = prefix.equals("current");
                    result = put(result, prefix + "AverageValue", values.get("averageValue"), isStatus ? "0" : "");
                    yield type.equals("ContainerResource")
                            ? result.with("container", source.string("container"))
                            : result;
                }
            };
        }

        /** Adds a value; the zero value if it is absent and not empty. */
        private static JsonObject put(JsonObject object, String name, @Nullable JsonValue value, String zero) {
            if (value != null) {
                return object.with(name, value);
            }
            return zero.isEmpty() ? object : object.with(name, zero);
        }

        private static String member(String type) {
            return type.isEmpty() ? type : type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
        }

        private static JsonObject metric(JsonObject source, String selector) {
            JsonObject metric = JsonObject.EMPTY.with("name", source.string("metricName"));
            JsonValue value = source.get(selector);
            return value == null ? metric : metric.with("selector", value);
        }

        private static JsonObject named(JsonObject source) {
            return Members.take(Members.take(JsonObject.EMPTY, "name", source), "container", source);
        }

        private static JsonObject target(
                String type, JsonObject source, String value, String average, String utilization) {
            JsonObject target = JsonObject.EMPTY.with("type", type);
            for (Map.Entry<String, JsonValue> member :
                    values(source, value, average, utilization).members().entrySet()) {
                target = target.with(member.getKey(), member.getValue());
            }
            return target;
        }

        private static JsonObject values(JsonObject source, String value, String average, String utilization) {
            JsonObject result = JsonObject.EMPTY;
            result = put(result, "value", source.get(value), "");
            result = put(result, "averageValue", source.get(average), "");
            return put(result, "averageUtilization", source.get(utilization), "");
        }
    }
}
