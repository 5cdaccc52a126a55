/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.strategy;

import io.kubeloop.apiserver.kinds.defaults.DisabledFields;
import io.kubeloop.apiserver.kinds.defaults.PodResources;
import io.kubeloop.apiserver.kinds.defaults.TypeDefaults;
import io.kubeloop.apiserver.kinds.validation.EphemeralContainers;
import io.kubeloop.apiserver.kinds.validation.PodResize;
import io.kubeloop.apiserver.kinds.validation.PodRules;
import io.kubeloop.apiserver.kinds.warnings.WorkloadWarnings;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.quota.QosClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The strategy of Pods, which are deleted gracefully (upstream: {@code pkg/registry/core/pod/strategy.go}). */
final class PodStrategy extends KindStrategy {

    private static final String OBSERVED = "observedGeneration";
    private static final String RESOURCES = "resources";

    /** The fields of a status that a client keeps which does not know them. */
    private static final List<String> KEPT_IN_STATUS = List.of(
            OBSERVED, "resourceClaimStatuses", "extendedResourceClaimStatus", "nodeAllocatableResourceClaimStatuses");

    PodStrategy() {
        super(KindStrategy.of("core.v1.Pod")
                .with(Trait.STATUS)
                .updates(UpdateStep.METADATA_CHANGE, UpdateStep.METADATA, UpdateStep.OBJECT, UpdateStep.CHANGE)
                .generation()
                .selectable(
                        "spec.nodeName",
                        "spec.restartPolicy",
                        "spec.schedulerName",
                        "spec.serviceAccountName",
                        "spec.hostNetwork",
                        "status.phase",
                        "status.podIP",
                        "status.podIPs",
                        "status.nominatedNodeName")
                .with(Trait.RETURNS_DELETED_OBJECT)
                .onCreate(PodStrategy::created)
                .onWrite(PodStrategy::timed)
                .warnings(WorkloadWarnings::pod)
                .check(PodRules::pod)
                .checkCreate(PodRules::newPod)
                .checkUpdate(PodRules::update));
    }

    private static JsonObject created(JsonObject pod) {
        JsonObject spec = PodResources.complete(pod.object("spec"));
        JsonObject status = JsonObject.EMPTY.with("phase", "Pending").with("qosClass", QosClass.of(spec));
        if (!pod.array("spec", "schedulingGates").isEmpty()) {
            JsonObject gated = JsonObject.EMPTY
                    .with("type", "PodScheduled")
                    .with("status", "False")
                    .with("lastProbeTime", JsonNull.NULL)
                    .with("lastTransitionTime", JsonNull.NULL)
                    .with("reason", "SchedulingGated")
                    .with("message", "Scheduling is blocked due to non-empty scheduling gates");
            status = status.with("conditions", JsonArray.of(gated));
        }
        return pod.with("spec", spec).with("status", status);
    }

    /** The condition of a gated pod contains the time of its creation. */
    private static JsonObject timed(JsonObject pod, @Nullable JsonObject old, Part part, Origin origin) {
        JsonArray conditions = pod.array("status", "conditions");
        return old != null || conditions.isEmpty()
                ? pod
                : pod.with(
                        List.of("status", "conditions"),
                        JsonArray.of(conditions
                                .objects()
                                .map(condition -> condition.with("lastTransitionTime", origin.now()))
                                .toList()));
    }

    @Override
    public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        return switch (part) {
            case BINDING -> TypeDefaults.apply(type(), object);
            case EPHEMERAL_CONTAINERS ->
                TypeDefaults.apply(type(), DisabledFields.without(type(), EphemeralContainers.only(object, old), old));
            case RESIZE -> TypeDefaults.apply(type(), PodResize.only(object, old));
            case MAIN -> super.prepareForUpdate(withResources(object, old), old, part);
            case STATUS -> statusOf(super.prepareForUpdate(object, old, part), old);
            default -> super.prepareForUpdate(object, old, part);
        };
    }

    /** A client that does not know the resources of a pod as a whole keeps them. */
    private static JsonObject withResources(JsonObject pod, JsonObject old) {
        return pod.object("spec").has(RESOURCES)
                ? pod
                : pod.with("spec", Members.take(pod.object("spec"), RESOURCES, old.object("spec")));
    }

    private static JsonObject statusOf(JsonObject pod, JsonObject old) {
        // A status update must not change owner references.
        JsonObject metadata = Members.take(Meta.of(pod), "ownerReferences", Meta.of(old));
        JsonObject before = old.object("status");
        JsonObject status = pod.object("status");
        if (status.string("qosClass").isEmpty()) {
            status = Members.take(status, "qosClass", before);
        }
        for (String field : KEPT_IN_STATUS) {
            if (!status.has(field)) {
                status = Members.take(status, field, before);
            }
        }
        if (status.has("conditions")) {
            status = status.with("conditions", observed(status.array("conditions"), before.array("conditions")));
        }
        return pod.with("metadata", metadata).with("status", status);
    }

    /** Clients that do not know the observed generation of a condition keep it. */
    private static JsonArray observed(JsonArray conditions, JsonArray before) {
        Map<String, Deque<JsonObject>> byType = new HashMap<>();
        before.objects()
                .forEach(condition -> byType.computeIfAbsent(condition.string("type"), type -> new ArrayDeque<>())
                        .add(condition));
        List<JsonValue> result = new ArrayList<>();
        conditions.objects().forEach(condition -> {
            Deque<JsonObject> earlier = byType.getOrDefault(condition.string("type"), new ArrayDeque<>());
            JsonObject first = earlier.poll();
            result.add(first == null || condition.has(OBSERVED) ? condition : Members.take(condition, OBSERVED, first));
        });
        return JsonArray.of(result);
    }

    @Override
    public long gracePeriodSeconds(JsonObject object) {
        Long period = object.number("spec", "terminationGracePeriodSeconds");
        return period == null ? 0 : period < 0 ? 1 : period;
    }

    /** A pod without a node, or one that has ended, has no grace period. */
    @Override
    public boolean endsAtOnce(JsonObject object) {
        String phase = object.string("status", "phase");
        return object.string("spec", "nodeName").isEmpty() || phase.equals("Failed") || phase.equals("Succeeded");
    }
}
