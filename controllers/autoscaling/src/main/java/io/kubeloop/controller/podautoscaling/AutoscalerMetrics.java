/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.autoscaling.HorizontalPodAutoscaler;
import io.kubeloop.api.autoscaling.MetricSpec;
import io.kubeloop.api.autoscaling.MetricStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.selector.InvalidSelectorException;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes the number of pods for all metrics of an autoscaler (upstream: {@code computeReplicasForMetrics}). The
 * largest number wins. If a metric has no value, the others can raise the number but not lower it.
 *
 * <p>Thread-safe. Blocks while metrics are read.
 */
final class AutoscalerMetrics {

    private final MetricEvaluation evaluation;
    private final TargetSelectors selectors;
    private final Lister<Pod> pods;
    private final EventRecorder events;
    private final double tolerance;
    private final AutoscalerMonitor monitor;

    AutoscalerMetrics(
            MetricEvaluation evaluation,
            TargetSelectors selectors,
            Lister<Pod> pods,
            EventRecorder events,
            double tolerance,
            AutoscalerMonitor monitor) {
        this.evaluation = evaluation;
        this.selectors = selectors;
        this.pods = pods;
        this.events = events;
        this.tolerance = tolerance;
        this.monitor = monitor;
    }

    /**
     * The result of all metrics.
     *
     * @param replicas the number of pods; null if the metrics decide nothing
     * @param metric the metric that decided, as events and conditions name it
     * @param statuses the values of the metrics, in the order of the spec
     * @param error why some metrics, or all, have no value; empty if all have one
     */
    record Result(@Nullable Integer replicas, String metric, List<MetricStatus> statuses, String error) {}

    /**
     * Computes the number of pods, sets the condition {@code ScalingActive}, and records events about metrics without a
     * value.
     */
    Result compute(HorizontalPodAutoscaler autoscaler, TargetScale scale, StatusDraft draft) {
        Selector selector;
        try {
            selector = selector(autoscaler, scale.selector());
        } catch (InvalidTargetException e) {
            warn(autoscaler, e.event, Errors.text(e));
            draft.condition(StatusDraft.SCALING_ACTIVE, false, e.condition);
            return new Result(null, "", List.of(), Errors.text(e));
        }
        ReplicaCalculator.Pods target = new ReplicaCalculator.Pods(
                autoscaler.metadata().namespace(), selector, scale.specReplicas(), scale.statusReplicas());
        Tolerances tolerances = Tolerances.of(autoscaler.spec().behavior(), tolerance);
        List<MetricSpec> specs = autoscaler.spec().metrics();
        List<MetricStatus> statuses = new ArrayList<>();
        MetricEvaluation.Proposal best = null;
        MetricEvaluation.InvalidMetricException first = null;
        int invalid = 0;
        for (MetricSpec spec : specs) {
            try (AutoscalerMonitor.Observation observation = monitor.computation(spec.type())) {
                MetricEvaluation.Proposal proposal = evaluation.evaluate(spec, target, tolerances);
                observation.changes(autoscaler.status().currentReplicas(), proposal.replicas());
                observation.succeeded();
                statuses.add(proposal.status());
                best = best == null || best.replicas() == 0 || proposal.replicas() > best.replicas() ? proposal : best;
            } catch (MetricEvaluation.InvalidMetricException e) {
                warn(autoscaler, e.reason(), e.detail());
                statuses.add(MetricStatus.EMPTY);
                first = first == null ? e : first;
                invalid++;
            }
        }
        String error = first == null
                ? ""
                : "invalid metrics (" + invalid + " invalid out of " + specs.size() + "), first error is: "
                        + first.getMessage();
        if (best == null || (first != null && best.replicas() < scale.specReplicas())) {
            draft.condition(
                    StatusDraft.SCALING_ACTIVE,
                    false,
                    first == null ? "InvalidMetricSourceType" : first.reason(),
                    "the HPA was unable to compute the replica count: "
                            + (first == null ? "the autoscaler has no metrics" : first.detail()));
            return new Result(null, "", statuses, first == null ? "the autoscaler has no metrics" : error);
        }
        draft.condition(
                StatusDraft.SCALING_ACTIVE,
                true,
                "ValidMetricFound",
                "the HPA was able to successfully calculate a replica count from " + best.metric());
        return new Result(best.replicas(), best.metric(), statuses, error);
    }

    private static final class InvalidTargetException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final String event;
        private final transient ReplicaLimits.Note condition;

        InvalidTargetException(String event, String message, ReplicaLimits.Note condition) {
            super(message);
            this.event = event;
            this.condition = condition;
        }
    }

    /** Returns the selector of the pods, unless it is invalid or selects pods of another autoscaler. */
    private Selector selector(HorizontalPodAutoscaler autoscaler, String text) {
        if (text.isEmpty()) {
            throw new InvalidTargetException(
                    "SelectorRequired",
                    "selector is required",
                    new ReplicaLimits.Note("InvalidSelector", "the HPA target's scale is missing a selector"));
        }
        Selector selector;
        try {
            selector = LabelSelectors.parse(text);
        } catch (InvalidSelectorException e) {
            String message =
                    "couldn't convert selector into a corresponding internal selector object: " + e.getMessage();
            throw new InvalidTargetException(
                    "InvalidSelector", message, new ReplicaLimits.Note("InvalidSelector", message));
        }
        ObjectName name = autoscaler.objectName();
        if (!selectors.set(name, selector)) {
            throw new ControllerException("HPA " + name + " was deleted during reconciliation", null);
        }
        List<Pod> selected = pods.list(
                name.namespace(), pod -> selector.matches(pod.metadata().labels()));
        List<String> selecting = selectors.selecting(name.namespace(), selected).stream()
                .limit(2)
                .map(ObjectName::toString)
                .toList();
        if (selecting.size() > 1) {
            String message = "pods by selector " + text + " are controlled by more than one HPA (e.g. ["
                    + String.join(" ", selecting) + "])";
            throw new InvalidTargetException(
                    "AmbiguousSelector", message, new ReplicaLimits.Note("AmbiguousSelector", message));
        }
        return selector;
    }

    private void warn(HorizontalPodAutoscaler autoscaler, String reason, String message) {
        events.event(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS, autoscaler, EventType.WARNING, reason, message);
    }
}
