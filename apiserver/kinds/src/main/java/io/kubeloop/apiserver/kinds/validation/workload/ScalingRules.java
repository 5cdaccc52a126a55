/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.workload;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.AmountRules;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Validation of HorizontalPodAutoscalers in version v2 (upstream: {@code pkg/apis/autoscaling/validation}). */
public final class ScalingRules {

    private static final List<String> METRIC_TYPES =
            List.of("ContainerResource", "External", "Object", "Pods", "Resource");

    /** The types, in the order in which upstream validates their fields. */
    private static final List<String> FIELD_ORDER =
            List.of("object", "external", "pods", "resource", "containerResource");

    private static final Map<String, String> FIELDS = Map.of(
            "ContainerResource",
            "containerResource",
            "External",
            "external",
            "Object",
            "object",
            "Pods",
            "pods",
            "Resource",
            "resource");
    private static final long MAX_WINDOW = 3600;
    private static final long MAX_PERIOD = 1800;

    private ScalingRules() {}

    /** The versions that a reference may have. */
    private enum Versions {
        ANY,
        PARSEABLE,
        WITH_GROUP;

        /** Returns the versions of a target of this kind; the only one in the core group needs no group. */
        static Versions ofTarget(FieldCursor target) {
            return target.at("kind").text().equals("ReplicationController") ? PARSEABLE : WITH_GROUP;
        }
    }

    /** Validates a new autoscaler. */
    public static void create(FieldCursor autoscaler) {
        check(autoscaler, Versions.ofTarget(autoscaler.at("spec", "scaleTargetRef")), Versions.PARSEABLE);
    }

    private static void check(FieldCursor autoscaler, Versions ofTarget, Versions ofMetrics) {
        FieldCursor spec = autoscaler.at("spec");
        FieldCursor least = spec.at("minReplicas");
        FieldCursor most = spec.at("maxReplicas");
        least.declared().nonNegative();
        if (most.number() == 0) {
            most.declared().required("");
        } else if (most.number() < 0) {
            most.declared().invalid("must be greater than or equal to 1");
        }
        if (least.isSet() && most.number() < least.number()) {
            most.holdingNumber().invalid("must be greater than or equal to `minReplicas`");
        }
        reference(spec.at("scaleTargetRef"), ofTarget);
        spec.at("metrics").each(metric -> metric(metric, ofMetrics));
        if (least.isSet() && least.number() == 0) {
            zeroReplicas(spec.at("metrics"));
        }
        spec.at("behavior", "scaleUp").ifSet(ScalingRules::rules);
        spec.at("behavior", "scaleDown").ifSet(ScalingRules::rules);
    }

    private static void zeroReplicas(FieldCursor metrics) {
        boolean external = metrics.items().stream()
                .map(metric -> metric.at("type").text())
                .anyMatch(type -> type.equals("Object") || type.equals("External"));
        if (!external) {
            metrics.forbidden(
                    "must specify at least one Object or External metric to support scaling to zero replicas");
        }
    }

    /** Validates a change of an autoscaler or of its status. A version that was invalid before may stay. */
    public static void update(FieldCursor autoscaler, FieldCursor old, Part part) {
        if (part == Part.STATUS) {
            autoscaler.at("status", "currentReplicas").nonNegative();
            autoscaler.at("status", "desiredReplicas").nonNegative();
            autoscaler
                    .at("status", "conditions")
                    .each(condition -> condition.at("observedGeneration").nonNegative());
            return;
        }
        FieldCursor target = autoscaler.at("spec", "scaleTargetRef");
        FieldCursor before = old.at("spec", "scaleTargetRef");
        boolean keepsTarget =
                target.at("apiVersion").text().equals(before.at("apiVersion").text())
                        && target.at("kind").text().equals(before.at("kind").text());
        boolean wasInvalid = old.at("spec", "metrics").items().stream()
                .anyMatch(metric -> isUnparseable(
                        metric.at("object", "describedObject", "apiVersion").text()));
        check(
                autoscaler,
                keepsTarget ? Versions.ANY : Versions.ofTarget(target),
                wasInvalid ? Versions.ANY : Versions.PARSEABLE);
    }

    private static void reference(FieldCursor reference, Versions versions) {
        for (String field : List.of("kind", "name")) {
            if (reference.at(field).require()) {
                reference.at(field).follows(NameValidation::pathSegment);
            }
        }
        String version = reference.at("apiVersion").text();
        if (versions == Versions.ANY) {
            return;
        }
        if (isUnparseable(version)) {
            reference.at("apiVersion").invalid("unexpected GroupVersion string: " + version);
        } else if (version.indexOf('/') < 0 && versions == Versions.WITH_GROUP) {
            reference.at("apiVersion").holdingText().invalid("apiVersion must specify API group");
        }
    }

    private static boolean isUnparseable(String version) {
        return version.chars().filter(c -> c == '/').count() > 1;
    }

    private static void metric(FieldCursor metric, Versions versions) {
        FieldCursor type = metric.at("type");
        type.require("must specify a metric source type");
        type.oneOf(METRIC_TYPES);
        List<String> present = new ArrayList<>(
                FIELD_ORDER.stream().filter(field -> metric.at(field).isSet()).toList());
        if (!present.isEmpty()) {
            source(present.get(0), metric.at(present.get(0)), versions);
        }
        String expected = FIELDS.getOrDefault(type.text(), "");
        if (expected.isEmpty()) {
            type.oneOf(METRIC_TYPES);
        } else if (!metric.at(expected).isSet()) {
            metric.at(expected).required("must populate information for the given metric source");
        }
        if (present.size() != 1) {
            present.remove(expected);
            present.forEach(field -> metric.at(field).forbidden("must populate the given metric source only"));
        }
    }

    private static void source(String kind, FieldCursor source, Versions versions) {
        FieldCursor target = source.at("target");
        boolean hasValue = target.at("value").isSet();
        boolean hasAverage = target.at("averageValue").isSet();
        switch (kind) {
            case "object" -> {
                reference(source.at("describedObject"), versions);
                identifier(source.at("metric"));
                target(target);
                if (!hasValue && !hasAverage) {
                    target.at("averageValue").required("must set either a target value or averageValue");
                }
            }
            case "external" -> {
                identifier(source.at("metric"));
                target(target);
                if (!hasValue && !hasAverage) {
                    target.at("averageValue").required("must set either a target value for metric or a per-pod target");
                }
                if (hasValue && hasAverage) {
                    target.at("value").forbidden("may not set both a target value for metric and a per-pod target");
                }
            }
            case "pods" -> {
                identifier(source.at("metric"));
                target(target);
                if (!hasAverage) {
                    target.at("averageValue").required("must specify a positive target averageValue");
                }
            }
            default -> resource(kind, source, target, hasAverage);
        }
    }

    private static void resource(String kind, FieldCursor source, FieldCursor target, boolean hasAverage) {
        FieldCursor name = source.at("name");
        boolean named = name.require("must specify a resource name");
        if (kind.equals("containerResource")) {
            if (named) {
                AmountRules.containerResourceName(name);
            }
            if (source.at("container").require("must specify a container")) {
                source.at("container").follows(NameValidation::dns1123Label);
            }
        }
        target(target);
        boolean hasUtilization = target.at("averageUtilization").isSet();
        if (!hasUtilization && !hasAverage) {
            target.at("averageUtilization").required("must set either a target raw value or a target utilization");
        }
        if (hasUtilization && hasAverage) {
            target.at("averageValue").forbidden("may not set both a target raw value and a target utilization");
        }
    }

    private static void identifier(FieldCursor metric) {
        if (metric.at("name").require("must specify a metric name")) {
            metric.at("name").follows(NameValidation::pathSegment);
        }
    }

    private static void target(FieldCursor target) {
        FieldCursor type = target.at("type");
        type.require("must specify a metric target type");
        if (!List.of("Utilization", "Value", "AverageValue").contains(type.text())) {
            type.holdingText().invalid("must be either Utilization, Value, or AverageValue");
        }
        for (String field : List.of("value", "averageValue")) {
            JsonValue amount = target.at(field).value();
            if (amount != null && Quantities.of(amount).signum() <= 0) {
                target.at(field)
                        .holding(new JsonString(Quantities.of(amount).toString()))
                        .invalid("must be positive");
            }
        }
        FieldCursor utilization = target.at("averageUtilization");
        if (utilization.isSet() && utilization.number() < 1) {
            utilization.invalid("must be greater than 0");
        }
    }

    private static void rules(FieldCursor rules) {
        FieldCursor window = rules.at("stabilizationWindowSeconds");
        if (window.number() < 0) {
            window.invalid("must be greater than or equal to zero");
        }
        if (window.number() > MAX_WINDOW) {
            window.invalid("must be less than or equal to " + MAX_WINDOW);
        }
        rules.at("selectPolicy").oneOfIfSet(List.of("Disabled", "Max", "Min"));
        FieldCursor policies = rules.at("policies");
        if (policies.isEmpty() || policies.isSentEmpty()) {
            policies.required("must specify at least one Policy");
            return;
        }
        policies.each(policy -> {
            policy.at("type").oneOf(List.of("Percent", "Pods"));
            policy.at("value").holdingNumber().positive();
            FieldCursor period = policy.at("periodSeconds").holdingNumber();
            period.positive();
            if (period.number() > MAX_PERIOD) {
                period.invalid("must be less than or equal to " + MAX_PERIOD);
            }
        });
        JsonValue tolerance = rules.at("tolerance").value();
        if (tolerance != null && Quantities.of(tolerance).signum() < 0) {
            rules.at("tolerance").invalid("must be greater than or equal to 0");
        }
    }
}
