/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.autoscaling.CrossVersionObjectReference;
import io.kubeloop.api.autoscaling.MetricIdentifier;
import io.kubeloop.api.autoscaling.MetricSpec;
import io.kubeloop.api.autoscaling.MetricStatus;
import io.kubeloop.api.autoscaling.MetricStatusBuilder;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import java.math.BigDecimal;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes the number of pods for one metric of an autoscaler, and the metric's status (upstream: {@code
 * computeReplicasForMetric}).
 *
 * <p>Thread-safe. Blocks while the metric is read.
 */
class MetricEvaluation {

    private final ReplicaCalculator calculator;

    MetricEvaluation(ReplicaCalculator calculator) {
        this.calculator = calculator;
    }

    /**
     * The number of pods that a metric needs.
     *
     * @param replicas the number
     * @param metric the metric, as events and conditions name it
     * @param status the metric's value
     */
    record Proposal(int replicas, String metric, MetricStatus status) {}

    /**
     * Reports that a metric has no value or no valid target. The message names the metric; {@link #detail} does not.
     */
    static final class InvalidMetricException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final String reason;
        private final String detail;

        private InvalidMetricException(String reason, String detail, String message, @Nullable Throwable cause) {
            super(message, cause);
            this.reason = reason;
            this.detail = detail;
        }

        /** Returns the reason of the event and the condition. */
        String reason() {
            return reason;
        }

        /** Returns the text of the event and the condition. */
        String detail() {
            return detail;
        }
    }

    /**
     * Computes the number of pods for a metric.
     *
     * @throws InvalidMetricException if that is impossible
     */
    Proposal evaluate(MetricSpec spec, ReplicaCalculator.Pods pods, Tolerances tolerances) {
        return switch (spec.type()) {
            case "Resource" -> {
                MetricSpec.Source source = source(spec.resource());
                yield guarded(
                        "FailedGetResourceMetric",
                        "failed to get " + source.name() + " resource metric value: ",
                        () -> resource(spec, source, pods, tolerances));
            }
            case "ContainerResource" -> {
                MetricSpec.Source source = source(spec.containerResource());
                yield guarded(
                        "FailedGetContainerResourceMetric",
                        "failed to get " + source.container() + " container metric value: ",
                        () -> resource(spec, source, pods, tolerances));
            }
            case "Pods" ->
                guarded(
                        "FailedGetPodsMetric",
                        "failed to get pods metric value: ",
                        () -> pods(source(spec.pods()), pods, tolerances));
            case "Object" -> object(source(spec.object()), pods, tolerances);
            case "External" -> external(source(spec.external()), pods, tolerances);
            default -> {
                String text = "unknown metric source type \"" + spec.type() + "\"";
                throw new InvalidMetricException("InvalidMetricSourceType", text, text, null);
            }
        };
    }

    private static MetricSpec.Source source(MetricSpec.@Nullable Source source) {
        return source == null ? MetricSpec.Source.EMPTY : source;
    }

    private static <T> T guarded(String reason, String prefix, Supplier<T> operation) {
        try {
            return operation.get();
        } catch (RuntimeException e) {
            String detail = Errors.text(e);
            throw new InvalidMetricException(reason, detail, prefix + detail, e);
        }
    }

    private Proposal resource(
            MetricSpec spec, MetricSpec.Source source, ReplicaCalculator.Pods pods, Tolerances tolerances) {
        String resource = source.name();
        MetricSpec.Target target = source.target();
        boolean isContainer = spec.type().equals("ContainerResource");
        ReplicaCalculator.Count count;
        String name;
        Integer utilization = null;
        if (!target.averageValue().isEmpty()) {
            count = named(
                    "failed to get " + resource + " usage",
                    () -> calculator.rawResource(
                            pods, resource, source.container(), milli(target.averageValue()), tolerances));
            name = resource + " resource";
        } else {
            Integer percent = target.averageUtilization();
            if (percent == null) {
                throw new ControllerException(
                        "invalid resource metric source: neither an average utilization target nor an average value"
                                + " (usage) target was set",
                        null);
            }
            count = named(
                    "failed to get " + resource + " utilization",
                    () -> calculator.utilization(pods, resource, source.container(), percent, tolerances));
            name = resource + (isContainer ? " container" : "") + " resource utilization (percentage of request)";
            utilization = count.utilization();
        }
        Quantity.Format format = resource.equals("memory") ? Quantity.Format.BINARY_SI : Quantity.Format.DECIMAL_SI;
        MetricStatus.Value current =
                new MetricStatus.Value("", text(count.usage(), format), utilization, UnknownFields.NONE);
        MetricStatus.Source value =
                new MetricStatus.Source(null, resource, source.container(), current, null, UnknownFields.NONE);
        MetricStatusBuilder status = MetricStatusBuilder.builder().type(spec.type());
        return new Proposal(
                count.replicas(),
                name,
                (isContainer ? status.containerResource(value) : status.resource(value)).build());
    }

    private Proposal pods(MetricSpec.Source source, ReplicaCalculator.Pods pods, Tolerances tolerances) {
        MetricIdentifier metric = metric(source);
        ReplicaCalculator.Count count = calculator.podMetric(
                pods, metric.name(), series(metric), milli(source.target().averageValue()), tolerances);
        return new Proposal(
                count.replicas(),
                "pods metric " + metric.name(),
                MetricStatusBuilder.builder()
                        .type("Pods")
                        .pods(value(metric, average(count), null))
                        .build());
    }

    private Proposal object(MetricSpec.Source source, ReplicaCalculator.Pods pods, Tolerances tolerances) {
        String reason = "FailedGetObjectMetric";
        String prefix = "failed to get object metric value: ";
        MetricIdentifier metric = metric(source);
        MetricSpec.Target target = source.target();
        CrossVersionObjectReference object =
                source.describedObject() == null ? CrossVersionObjectReference.EMPTY : source.describedObject();
        Selector series = guarded(reason, prefix, () -> series(metric));
        if (target.type().equals("Value") && !target.value().isEmpty()) {
            ReplicaCalculator.Count count = guarded(
                    reason,
                    prefix,
                    () -> calculator.object(pods, object, metric.name(), series, milli(target.value()), tolerances));
            return objectProposal(count, object.kind() + " metric " + metric.name(), metric, object, total(count));
        }
        if (target.type().equals("AverageValue") && !target.averageValue().isEmpty()) {
            ReplicaCalculator.Count count = guarded(
                    reason,
                    prefix + "failed to get " + metric.name() + " object metric: ",
                    () -> calculator.objectPerPod(
                            pods, object, metric.name(), series, milli(target.averageValue()), tolerances));
            return objectProposal(count, externalName(metric), metric, object, average(count));
        }
        return guarded(reason, prefix, () -> {
            throw withoutTarget("object");
        });
    }

    private static Proposal objectProposal(
            ReplicaCalculator.Count count,
            String name,
            MetricIdentifier metric,
            CrossVersionObjectReference object,
            MetricStatus.Value current) {
        return new Proposal(
                count.replicas(),
                name,
                MetricStatusBuilder.builder()
                        .type("Object")
                        .object(value(metric, current, object))
                        .build());
    }

    private Proposal external(MetricSpec.Source source, ReplicaCalculator.Pods pods, Tolerances tolerances) {
        String reason = "FailedGetExternalMetric";
        MetricIdentifier metric = metric(source);
        String prefix = "failed to get " + metric.name() + " external metric value: ";
        MetricSpec.Target target = source.target();
        if (!target.averageValue().isEmpty()) {
            ReplicaCalculator.Count count = guarded(
                    reason,
                    prefix + "failed to get " + metric.name() + " external metric: ",
                    () -> calculator.externalPerPod(pods, metric, milli(target.averageValue()), tolerances));
            return externalProposal(count, metric, average(count));
        }
        if (!target.value().isEmpty()) {
            ReplicaCalculator.Count count = guarded(
                    reason,
                    prefix + "failed to get external metric " + metric.name() + ": ",
                    () -> calculator.external(pods, metric, milli(target.value()), tolerances));
            return externalProposal(count, metric, total(count));
        }
        return guarded(reason, prefix, () -> {
            throw withoutTarget("external");
        });
    }

    private static Proposal externalProposal(
            ReplicaCalculator.Count count, MetricIdentifier metric, MetricStatus.Value current) {
        return new Proposal(
                count.replicas(),
                externalName(metric),
                MetricStatusBuilder.builder()
                        .type("External")
                        .external(value(metric, current, null))
                        .build());
    }

    private static ControllerException withoutTarget(String kind) {
        return new ControllerException(
                "invalid " + kind + " metric source: neither a value target nor an average value target was set", null);
    }

    private static String externalName(MetricIdentifier metric) {
        return "external metric " + metric.name() + "(" + LabelSelectors.goText(metric.selector()) + ")";
    }

    private static MetricIdentifier metric(MetricSpec.Source source) {
        return source.metric() == null ? MetricIdentifier.EMPTY : source.metric();
    }

    private static Selector series(MetricIdentifier metric) {
        return LabelSelectors.of(metric.selector());
    }

    private static MetricStatus.Source value(
            MetricIdentifier metric, MetricStatus.Value current, @Nullable CrossVersionObjectReference object) {
        return new MetricStatus.Source(metric, "", "", current, object, UnknownFields.NONE);
    }

    private static MetricStatus.Value total(ReplicaCalculator.Count count) {
        return new MetricStatus.Value(text(count.usage(), Quantity.Format.DECIMAL_SI), "", null, UnknownFields.NONE);
    }

    private static MetricStatus.Value average(ReplicaCalculator.Count count) {
        return new MetricStatus.Value("", text(count.usage(), Quantity.Format.DECIMAL_SI), null, UnknownFields.NONE);
    }

    private static String text(long milli, Quantity.Format format) {
        return Quantity.of(BigDecimal.valueOf(milli, 3), format).toString();
    }

    private static long milli(String quantity) {
        return Quantity.parse(quantity).milliValue();
    }

    private static <T> T named(String attempt, Supplier<T> operation) {
        try {
            return operation.get();
        } catch (RuntimeException e) {
            throw new ControllerException(attempt + ": " + Errors.text(e), e);
        }
    }
}
