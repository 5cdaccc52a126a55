/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.autoscaling.CrossVersionObjectReference;
import io.kubeloop.api.autoscaling.MetricIdentifier;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.api.selector.LabelSelectors;
import io.kubeloop.api.selector.Selector;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Computes the number of pods that brings a metric to its target (upstream: {@code ReplicaCalculator}).
 *
 * <p>Promised: pods without a value never let the number change in the direction that they would reverse. On a decrease
 * they count as busy, on an increase as idle.
 *
 * <p>Thread-safe. Each method blocks while the metric is read, and throws a {@link ControllerException} if it cannot
 * compute.
 */
final class ReplicaCalculator {

    private final MetricsClient metrics;
    private final Lister<Pod> pods;
    private final PodAutoscalingConfig config;
    private final Clock clock;

    ReplicaCalculator(MetricsClient metrics, Lister<Pod> pods, PodAutoscalingConfig config, Clock clock) {
        this.metrics = metrics;
        this.pods = pods;
        this.config = config;
        this.clock = clock;
    }

    /**
     * A result.
     *
     * @param replicas the number of pods that brings the metric to its target
     * @param utilization the average usage in percent of the requests; 0 if it was not computed
     * @param usage the value of the metric, an average or a total, in thousandths
     */
    record Count(int replicas, int utilization, long usage) {}

    /**
     * The pods that a metric is computed for.
     *
     * @param specReplicas the wanted number of pods of the scaled object
     * @param statusReplicas the current number of pods
     */
    record Pods(String namespace, Selector selector, int specReplicas, int statusReplicas) {}

    /** A usage of pods in relation to its target. */
    private record Usage(double ratio, int utilization, long average) {}

    /** Computes by the usage of a resource in percent of the requests. */
    Count utilization(Pods target, String resource, String container, int percent, Tolerances tolerances) {
        PodMetrics values = resourceMetric(target, resource, container);
        List<Pod> all = podsOf(target);
        PodGroups groups = grouped(all, values, resource);
        Map<String, Long> requests = PodRequests.of(all, container, resource);
        return count(
                values,
                groups,
                target.specReplicas(),
                tolerances,
                () -> utilization(values.values(), requests, percent),
                pod -> requests.getOrDefault(pod, 0L) * Math.max(100, percent) / 100);
    }

    private static Usage utilization(Map<String, PodMetrics.Value> values, Map<String, Long> requests, int percent) {
        long used = 0;
        long requested = 0;
        int pods = 0;
        for (Map.Entry<String, PodMetrics.Value> entry : values.entrySet()) {
            Long request = requests.get(entry.getKey());
            if (request != null) {
                used += entry.getValue().milli();
                requested += request;
                pods++;
            }
        }
        if (requested == 0) {
            throw new ControllerException("no metrics returned matched known pods", null);
        }
        int utilization = (int) (used * 100 / requested);
        return new Usage((double) utilization / percent, utilization, used / pods);
    }

    /** Computes by the average usage of a resource. */
    Count rawResource(Pods target, String resource, String container, long average, Tolerances tolerances) {
        return plain(target, resourceMetric(target, resource, container), resource, average, tolerances);
    }

    private PodMetrics resourceMetric(Pods target, String resource, String container) {
        return named(
                "unable to get metrics for resource " + resource,
                () -> metrics.resource(resource, target.namespace(), target.selector(), container));
    }

    /** Computes by the average of a metric of the pods. */
    Count podMetric(Pods target, String metric, Selector series, long average, Tolerances tolerances) {
        PodMetrics values = named(
                "unable to get metric " + metric,
                () -> metrics.pods(metric, target.namespace(), target.selector(), series));
        return plain(target, values, "", average, tolerances);
    }

    private Count plain(Pods target, PodMetrics values, String resource, long average, Tolerances tolerances) {
        PodGroups groups = grouped(podsOf(target), values, resource);
        return count(
                values,
                groups,
                target.specReplicas(),
                tolerances,
                () -> {
                    long used = values.values().values().stream()
                                    .mapToLong(PodMetrics.Value::milli)
                                    .sum()
                            / values.values().size();
                    return new Usage((double) used / average, 0, used);
                },
                pod -> average);
    }

    /** Groups the pods, and removes the values that do not count. */
    private PodGroups grouped(List<Pod> all, PodMetrics values, String resource) {
        PodGroups groups = PodGroups.of(all, values.values(), resource, config, clock.instant());
        values.values().keySet().removeAll(groups.ignored());
        values.values().keySet().removeAll(groups.unready());
        if (values.isEmpty()) {
            throw new ControllerException("did not receive metrics for targeted pods (pods might be unready)", null);
        }
        return groups;
    }

    /**
     * Computes the number of pods, first from the pods with a value, then from all.
     *
     * @param usage computes the usage of the values at the moment of the call
     * @param busy the value that a pod without a value has on a decrease
     */
    private static Count count(
            PodMetrics values,
            PodGroups groups,
            int current,
            Tolerances tolerances,
            Supplier<Usage> usage,
            ToLongFunction<String> busy) {
        Usage measured = usage.get();
        double ratio = measured.ratio();
        boolean countsUnready = !groups.unready().isEmpty() && ratio > 1.0;
        if (!countsUnready && groups.missing().isEmpty()) {
            int replicas = tolerances.includes(ratio) ? current : GoConversions.ceil(ratio * groups.ready());
            return new Count(replicas, measured.utilization(), measured.average());
        }
        if (ratio < 1.0) {
            groups.missing().forEach(pod -> values.assume(pod, busy.applyAsLong(pod)));
        } else if (ratio > 1.0) {
            groups.missing().forEach(pod -> values.assume(pod, 0));
        }
        if (countsUnready) {
            groups.unready().forEach(pod -> values.assume(pod, 0));
        }
        double all = usage.get().ratio();
        int replicas = GoConversions.ceil(all * values.values().size());
        boolean isReversed = (ratio < 1.0 && all > 1.0)
                || (ratio > 1.0 && all < 1.0)
                || (all < 1.0 && replicas > current)
                || (all > 1.0 && replicas < current);
        return new Count(
                tolerances.includes(all) || isReversed ? current : replicas,
                measured.utilization(),
                measured.average());
    }

    /** Computes the number of pods from the value of an object metric. */
    Count object(
            Pods target,
            CrossVersionObjectReference object,
            String metric,
            Selector series,
            long value,
            Tolerances tolerances) {
        long usage = objectMetric(target, object, metric, series);
        return new Count(byRatio(target, (double) usage / value, tolerances), 0, usage);
    }

    /** Computes by the value of an object's metric for each pod. */
    Count objectPerPod(
            Pods target,
            CrossVersionObjectReference object,
            String metric,
            Selector series,
            long average,
            Tolerances tolerances) {
        long usage = objectMetric(target, object, metric, series);
        int current = target.statusReplicas();
        double ratio = usage / ((double) average * current);
        return new Count(
                tolerances.includes(ratio) ? current : GoConversions.ceil((double) usage / average),
                0,
                GoConversions.toLong(Math.ceil((double) usage / current)));
    }

    private long objectMetric(Pods target, CrossVersionObjectReference object, String metric, Selector series) {
        try {
            return metrics.object(metric, target.namespace(), object, series);
        } catch (RuntimeException e) {
            throw new ControllerException(
                    "unable to get metric " + metric + " on " + object.kind() + " " + target.namespace() + "/"
                            + object.name() + ": " + Errors.text(e),
                    e);
        }
    }

    /** Computes by the sum of an external metric. */
    Count external(Pods target, MetricIdentifier metric, long value, Tolerances tolerances) {
        long usage = 0;
        for (long one : externalMetric(target, metric)) {
            if (one > 0 && usage > Long.MAX_VALUE - one) {
                usage = Long.MAX_VALUE;
                break;
            }
            usage += one;
        }
        return new Count(byRatio(target, (double) usage / value, tolerances), 0, usage);
    }

    /** Computes by the sum of an external metric for each pod. */
    Count externalPerPod(Pods target, MetricIdentifier metric, long average, Tolerances tolerances) {
        long usage = 0;
        for (long one : externalMetric(target, metric)) {
            usage += one;
            if (usage < 0) {
                usage = Long.MAX_VALUE;
                break;
            }
        }
        int current = target.statusReplicas();
        double ratio = usage / ((double) average * current);
        return new Count(
                tolerances.includes(ratio) ? current : GoConversions.limitedCeil(Math.ceil((double) usage / average)),
                0,
                (double) usage >= 0x1p63 ? Long.MAX_VALUE : GoConversions.toLong(Math.ceil((double) usage / current)));
    }

    private List<Long> externalMetric(Pods target, MetricIdentifier metric) {
        Selector series = LabelSelectors.of(metric.selector());
        return named(
                "unable to get external metric " + target.namespace() + "/" + metric.name() + "/"
                        + LabelSelectors.goText(metric.selector()),
                () -> metrics.external(metric.name(), target.namespace(), series));
    }

    /** An object without pods grows by the ratio alone, because it has no ready pods to multiply. */
    private int byRatio(Pods target, double ratio, Tolerances tolerances) {
        if (target.specReplicas() == 0) {
            return GoConversions.ceil(ratio);
        }
        if (tolerances.includes(ratio)) {
            return target.specReplicas();
        }
        long ready = named("unable to calculate ready pods", () -> podsOf(target)).stream()
                .filter(pod -> pod.status().phase().equals(PodStatus.RUNNING) && pod.isReady())
                .count();
        return GoConversions.limitedCeil(ratio * ready);
    }

    private List<Pod> podsOf(Pods target) {
        List<Pod> found = pods.list(
                target.namespace(),
                pod -> target.selector().matches(pod.metadata().labels()));
        if (found.isEmpty()) {
            throw new ControllerException("no pods returned by selector while calculating replica count", null);
        }
        return found;
    }

    private static <T> T named(String attempt, Supplier<T> operation) {
        try {
            return operation.get();
        } catch (RuntimeException e) {
            throw new ControllerException(attempt + ": " + Errors.text(e), e);
        }
    }
}
