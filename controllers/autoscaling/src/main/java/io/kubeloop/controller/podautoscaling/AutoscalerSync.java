/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.podautoscaling;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.autoscaling.CrossVersionObjectReference;
import io.kubeloop.api.autoscaling.HorizontalPodAutoscaler;
import io.kubeloop.api.autoscaling.HorizontalPodAutoscalerSpec;
import io.kubeloop.api.autoscaling.MetricStatus;
import io.kubeloop.api.autoscaling.ScalingBehavior;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.cache.Lister;
import io.kubeloop.controller.ControllerException;
import io.kubeloop.controller.Errors;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.discovery.ScaleClient;
import io.kubeloop.controller.events.EventRecorder;
import io.kubeloop.controller.events.EventType;
import io.kubeloop.json.tree.JsonObject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Syncs one autoscaler (upstream: {@code reconcileAutoscaler}): reads the scale of its object, computes the number of
 * pods, writes the scale and then the status.
 *
 * <p>Promised: it never sets a number of pods outside of the autoscaler's bounds.
 *
 * <p>Thread-safe for different autoscalers; one worker at a time syncs an autoscaler. Blocks while it reads and writes.
 */
final class AutoscalerSync {

    private static final Logger LOG = LoggerFactory.getLogger(AutoscalerSync.class);

    private static final String BELOW_MINIMUM = "Current number of replicas below Spec.MinReplicas";

    /** The number of times that a scale is written if others change it meanwhile. */
    private static final int WRITE_ATTEMPTS = 5;

    private final Lister<HorizontalPodAutoscaler> autoscalers;
    private final WriteBarrier.Owners<HorizontalPodAutoscaler> writes;
    private final ScaleClient scales;
    private final AutoscalerMetrics metrics;
    private final EventRecorder events;
    private final Duration downscaleStabilization;
    private final AutoscalerMonitor monitor;
    private final Clock clock;

    /** The histories; each belongs to the worker that syncs its autoscaler. */
    private final Map<ObjectName, ScalingHistory> histories = new ConcurrentHashMap<>();

    AutoscalerSync(
            Lister<HorizontalPodAutoscaler> autoscalers,
            WriteBarrier.Owners<HorizontalPodAutoscaler> writes,
            ScaleClient scales,
            AutoscalerMetrics metrics,
            EventRecorder events,
            Duration downscaleStabilization,
            AutoscalerMonitor monitor) {
        this.autoscalers = autoscalers;
        this.writes = writes;
        this.scales = scales;
        this.metrics = metrics;
        this.events = events;
        this.downscaleStabilization = downscaleStabilization;
        this.monitor = monitor;
        clock = monitor.clock();
    }

    /**
     * A change of the number of pods, or none.
     *
     * @param replicas the wanted number
     * @param reason why it differs from the current number
     * @param isChange whether it must be written
     */
    private record Decision(int replicas, String reason, boolean isChange, List<MetricStatus> metrics, String error) {

        static Decision of(int replicas, String reason, boolean isChange) {
            return new Decision(replicas, reason, isChange, List.of(), "");
        }
    }

    /**
     * Syncs an autoscaler.
     *
     * @return whether it must be synced again after the sync period: it exists, and this sync was not put off
     * @throws RuntimeException if a step failed; the next sync tries again
     */
    boolean sync(ObjectName name) {
        if (writes.isBehind(name)) {
            LOG.debug("Autoscaler {}: the cache does not show the last write yet", name);
            return false;
        }
        HorizontalPodAutoscaler autoscaler = autoscalers.get(name);
        if (autoscaler == null) {
            histories.remove(name);
            writes.forget(name);
            monitor.forget(name);
            return false;
        }
        try (AutoscalerMonitor.Observation observation = monitor.reconciliation()) {
            sync(autoscaler, observation);
            observation.succeeded();
        }
        return true;
    }

    private void sync(HorizontalPodAutoscaler autoscaler, AutoscalerMonitor.Observation observation) {
        ObjectName name = autoscaler.objectName();
        StatusDraft draft = new StatusDraft(autoscaler, clock);
        TargetScale scale = readScale(autoscaler, draft, observation);
        ScalingHistory history = histories.computeIfAbsent(name, unused -> new ScalingHistory());
        int current = scale.specReplicas();
        history.start(current, clock.instant());
        Decision decision = decide(autoscaler, scale, history, draft);
        if (decision.isChange()) {
            rescale(autoscaler, scale, decision, draft);
            noteZero(autoscaler.spec(), current, decision.replicas(), draft);
            remember(autoscaler.spec().behavior(), current, decision.replicas(), history);
            observation.changes(current, decision.replicas());
        }
        int desired = decision.isChange() ? decision.replicas() : current;
        draft.computed(current, desired, decision.metrics(), decision.isChange());
        monitor.desired(name, desired);
        writeStatus(autoscaler, draft);
        if (!decision.error().isEmpty()) {
            throw new ControllerException(decision.error(), null);
        }
    }

    /** Only a zero that the controller has written, with a way back, is one that it leaves later. */
    private static void noteZero(HorizontalPodAutoscalerSpec spec, int from, int to, StatusDraft draft) {
        Integer min = spec.minReplicas();
        boolean isZero = from > 0 && to == 0 && min != null && min == 0 && hasMetricWithoutPods(spec);
        draft.condition(
                StatusDraft.SCALED_TO_ZERO,
                isZero,
                isZero ? "ScaledToZero" : "NotScaledToZero",
                "the HPA controller " + (isZero ? "scaled" : "did not scale") + " the workload to zero");
    }

    private TargetScale readScale(
            HorizontalPodAutoscaler autoscaler, StatusDraft draft, AutoscalerMonitor.Observation observation) {
        CrossVersionObjectReference reference = autoscaler.spec().scaleTargetRef();
        try {
            if (reference.apiVersion().indexOf('/') != reference.apiVersion().lastIndexOf('/')) {
                observation.isWrongSpec();
                throw new ControllerException("unexpected GroupVersion string: " + reference.apiVersion(), null);
            }
            ResourceType<?> resource = scales.resource(reference.group(), reference.kind());
            TargetScale scale = TargetScale.of(resource, scales.get(resource, target(autoscaler)));
            draft.condition(
                    StatusDraft.ABLE_TO_SCALE,
                    true,
                    "SucceededGetScale",
                    "the HPA controller was able to get the target's current scale");
            return scale;
        } catch (RuntimeException e) {
            String text = Errors.text(e);
            warn(autoscaler, "FailedGetScale", text);
            draft.condition(
                    StatusDraft.ABLE_TO_SCALE,
                    false,
                    "FailedGetScale",
                    "the HPA controller was unable to get the target's current scale: " + text);
            writeStatusOfFailure(autoscaler, draft);
            throw new ControllerException(
                    "failed to query scale subresource for " + describe(autoscaler) + ": " + text, e);
        }
    }

    private static ObjectName target(HorizontalPodAutoscaler autoscaler) {
        return new ObjectName(
                autoscaler.metadata().namespace(),
                autoscaler.spec().scaleTargetRef().name());
    }

    private static String describe(HorizontalPodAutoscaler autoscaler) {
        return autoscaler.spec().scaleTargetRef().kind() + "/"
                + autoscaler.metadata().namespace() + "/"
                + autoscaler.spec().scaleTargetRef().name();
    }

    private Decision decide(
            HorizontalPodAutoscaler autoscaler, TargetScale scale, ScalingHistory history, StatusDraft draft) {
        HorizontalPodAutoscalerSpec spec = autoscaler.spec();
        Integer lower = spec.minReplicas();
        int min = lower == null ? 1 : lower;
        int current = scale.specReplicas();
        if (current == 0 && !canLeaveZero(spec, min, draft)) {
            draft.condition(
                    StatusDraft.SCALING_ACTIVE,
                    false,
                    "ScalingDisabled",
                    "scaling is disabled since the replica count of the target is zero");
            return Decision.of(0, "", false);
        }
        if (current > spec.maxReplicas()) {
            return Decision.of(spec.maxReplicas(), "Current number of replicas above Spec.MaxReplicas", true);
        }
        if (current < min && current > 0) {
            return Decision.of(min, BELOW_MINIMUM, true);
        }
        AutoscalerMetrics.Result result = metrics.compute(autoscaler, scale, draft);
        Integer proposed = result.replicas();
        if (proposed == null) {
            draft.observed(current, result.statuses());
            writeStatusOfFailure(autoscaler, draft);
            warn(autoscaler, "FailedComputeMetricsReplicas", result.error());
            throw new ControllerException(
                    "failed to compute desired number of replicas based on listed metrics for " + describe(autoscaler)
                            + ": " + result.error(),
                    null);
        }
        int recommended = Math.max(0, proposed);
        String reason = recommended > current ? result.metric() + " above target" : "All metrics below target";
        ReplicaLimits limits = new ReplicaLimits(spec.behavior(), min, spec.maxReplicas(), downscaleStabilization);
        ReplicaLimits.Allowed allowed = limits.apply(current, recommended, history, clock.instant());
        draft.condition(StatusDraft.ABLE_TO_SCALE, true, allowed.ableToScale());
        draft.condition(StatusDraft.SCALING_LIMITED, allowed.isLimited(), allowed.limited());
        String because = recommended == current ? "" : reason;
        boolean isRaised = current == 0 && allowed.replicas() < min;
        int replicas = isRaised ? min : allowed.replicas();
        return new Decision(
                replicas,
                isRaised && because.isEmpty() ? BELOW_MINIMUM : because,
                replicas != current,
                result.statuses(),
                result.error());
    }

    /**
     * Returns whether the object has no pods because the controller scaled it to zero, and has a way back: a metric
     * that needs no pods, or a minimum that was raised. Another client's zero disables the autoscaler.
     */
    private static boolean canLeaveZero(HorizontalPodAutoscalerSpec spec, int min, StatusDraft draft) {
        return draft.isTrue(StatusDraft.SCALED_TO_ZERO) && (min != 0 || hasMetricWithoutPods(spec));
    }

    private static boolean hasMetricWithoutPods(HorizontalPodAutoscalerSpec spec) {
        return spec.metrics().stream()
                .anyMatch(metric ->
                        metric.type().equals("Object") || metric.type().equals("External"));
    }

    private void rescale(HorizontalPodAutoscaler autoscaler, TargetScale scale, Decision decision, StatusDraft draft) {
        try {
            writeScale(scale, target(autoscaler), decision.replicas());
        } catch (RuntimeException e) {
            String text = Errors.text(e);
            warn(
                    autoscaler,
                    "FailedRescale",
                    "New size: " + decision.replicas() + "; reason: " + decision.reason() + "; error: " + text);
            draft.condition(
                    StatusDraft.ABLE_TO_SCALE,
                    false,
                    "FailedUpdateScale",
                    "the HPA controller was unable to update the target scale: " + text);
            draft.observed(scale.specReplicas(), decision.metrics());
            writeStatusOfFailure(autoscaler, draft);
            throw new ControllerException("failed to rescale " + describe(autoscaler) + ": " + text, e);
        }
        draft.condition(
                StatusDraft.ABLE_TO_SCALE,
                true,
                "SucceededRescale",
                "the HPA controller was able to update the target scale to " + decision.replicas());
        events.event(
                ResourceTypes.HORIZONTAL_POD_AUTOSCALERS,
                autoscaler,
                EventType.NORMAL,
                "SuccessfulRescale",
                "New size: " + decision.replicas() + "; reason: " + decision.reason());
        LOG.info(
                "Autoscaler {} changed {} from {} to {} replicas: {}",
                autoscaler.objectName(),
                describe(autoscaler),
                scale.specReplicas(),
                decision.replicas(),
                decision.reason());
    }

    /**
     * Writes the number; after a conflict it reads the scale again and writes the same number (upstream: {@code
     * RetryOnConflict}).
     */
    private void writeScale(TargetScale read, ObjectName target, int replicas) {
        JsonObject document = read.document();
        for (int attempt = 1; ; attempt++) {
            try {
                scales.update(read.resource(), target, TargetScale.wanting(document, replicas));
                return;
            } catch (ApiException e) {
                if (!e.isConflict() || attempt == WRITE_ATTEMPTS) {
                    throw e;
                }
                document = scales.get(read.resource(), target);
            }
        }
    }

    private void remember(@Nullable ScalingBehavior behavior, int from, int to, ScalingHistory history) {
        if (behavior != null) {
            history.changed(
                    from,
                    to,
                    ReplicaLimits.rules(to > from ? behavior.scaleUp() : behavior.scaleDown()),
                    clock.instant());
        }
    }

    /** A status that cannot be written does not hide why the sync failed. */
    private void writeStatusOfFailure(HorizontalPodAutoscaler autoscaler, StatusDraft draft) {
        try {
            writeStatus(autoscaler, draft);
        } catch (ControllerException e) {
            LOG.warn("The failure of a sync is not in the status: {}", e.getMessage());
        }
    }

    private void writeStatus(HorizontalPodAutoscaler autoscaler, StatusDraft draft) {
        if (!draft.isChanged()) {
            return;
        }
        try {
            writes.updateStatus(autoscaler.withStatus(draft.status()));
        } catch (RuntimeException e) {
            String text = Errors.text(e);
            warn(autoscaler, "FailedUpdateStatus", text);
            throw new ControllerException(
                    "failed to update status for " + autoscaler.metadata().name() + ": " + text, e);
        }
    }

    private void warn(HorizontalPodAutoscaler autoscaler, String reason, String message) {
        events.event(ResourceTypes.HORIZONTAL_POD_AUTOSCALERS, autoscaler, EventType.WARNING, reason, message);
    }
}
