/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.defaults.PodResources;
import io.kubeloop.apiserver.objectmeta.Members;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.StatusParts;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.quota.QosClass;
import java.util.ArrayList;
import java.util.List;

/**
 * The resize of a pod: a change of the CPU and the memory of its containers or of the pod as a whole (upstream: {@code
 * dropNonResizeUpdates}, {@code ValidatePodResize}). Static functions only.
 */
public final class PodResize {

    private static final String RESOURCES = "resources";
    private static final List<String> AMOUNTS = List.of("limits", "requests");
    private static final List<String> LISTS = List.of("containers", "initContainers");
    private static final List<String> RESIZABLE = List.of("cpu", "memory");
    private static final String MIRROR = "kubernetes.io/config.mirror";
    /** The text of upstream's path with an empty name. */
    private static final String NOWHERE = "[]";

    private static final String ONLY = "only cpu and memory resources are mutable";

    private PodResize() {}

    /**
     * Returns the old pod with the resources and resize policies of the new one. A pod with other containers is
     * returned as it is, so the validation rejects it.
     */
    public static JsonObject only(JsonObject pod, JsonObject old) {
        JsonObject before = old.object("spec");
        JsonObject sent = pod.object("spec");
        for (String list : LISTS) {
            if (sent.array(list).size() != before.array(list).size()) {
                return Members.take(pod, "status", old);
            }
        }
        // A client that does not know the resources of the pod as a whole keeps them.
        JsonObject spec = sent.has(RESOURCES) ? before.with(RESOURCES, sent.object(RESOURCES)) : before;
        for (String list : LISTS) {
            spec = sent.has(list) ? spec.with(list, merged(sent.array(list), before.array(list))) : spec;
        }
        spec = PodResources.complete(spec);
        JsonObject result = StatusParts.keepMetadata(old.with("metadata", Meta.of(pod)), old);
        result = result.with("spec", spec);
        return spec.equals(before) ? result : Meta.nextGeneration(result);
    }

    private static JsonArray merged(JsonArray sent, JsonArray before) {
        List<JsonObject> old = before.objects().toList();
        List<JsonValue> merged = new ArrayList<>();
        for (JsonObject container : sent.objects().toList()) {
            JsonObject same = old.get(merged.size());
            if (!same.string("name").equals(container.string("name"))) {
                return sent;
            }
            merged.add(Members.take(Members.take(same, RESOURCES, container), "resizePolicy", container));
        }
        return JsonArray.of(merged);
    }

    /** Adds an error for each change that a resize must not make. */
    static void validate(FieldCursor pod, FieldCursor old) {
        FieldCursor spec = pod.at("spec");
        FieldCursor before = old.at("spec");
        if (old.at("metadata", "annotations", MIRROR).isSet()) {
            spec.named(NOWHERE).forbidden("static pods cannot be resized");
            return;
        }
        if (before.at("os", "name").text().equals("windows")) {
            spec.named(NOWHERE).forbidden("windows pods cannot be resized");
            return;
        }
        String qos = old.at("status", "qosClass").text();
        if (!(qos.isEmpty() ? QosClass.of(before.object()) : qos).equals(QosClass.of(spec.object()))) {
            spec.holding(new JsonString(qos)).invalid("Pod QOS Class may not change as a result of resizing");
        }
        if (!isSupported(old)) {
            spec.forbidden("Pod running on node without support for resize");
        }
        ofPod(spec, before);
        if (haveSameContainers(spec, before)) {
            containers(spec, before);
        }
    }

    /** The first running container shows whether its node reports resources, as a node that can resize does. */
    private static boolean isSupported(FieldCursor old) {
        return old.at("status", "containerStatuses").items().stream()
                .filter(status -> status.at("state", "running").isSet())
                .findFirst()
                .map(status -> status.at(RESOURCES).isSet())
                .orElse(true);
    }

    private static void ofPod(FieldCursor spec, FieldCursor before) {
        FieldCursor amounts = spec.at(RESOURCES);
        FieldCursor oldAmounts = before.at(RESOURCES);
        if (!hasAmounts(amounts) && !hasAmounts(oldAmounts)) {
            return;
        }
        for (String field : List.of("requests", "limits")) {
            if (isRemoved(amounts.at(field), oldAmounts.at(field))) {
                amounts.at(field).forbidden("pod-level resource " + field + " cannot be removed");
            }
        }
        if (!unchanged(amounts.object(), oldAmounts.object()).equals(oldAmounts.object())) {
            spec.forbidden(ONLY + " at pod-level");
        }
    }

    private static boolean hasAmounts(FieldCursor resources) {
        return AMOUNTS.stream().anyMatch(field -> !resources.at(field).isEmpty());
    }

    private static boolean isRemoved(FieldCursor amounts, FieldCursor before) {
        return before.object().members().keySet().stream()
                .anyMatch(name -> !amounts.object().has(name));
    }

    private static boolean haveSameContainers(FieldCursor spec, FieldCursor before) {
        boolean same = true;
        for (String list : LISTS) {
            List<FieldCursor> now = spec.at(list).items();
            List<FieldCursor> old = before.at(list).items();
            if (now.size() != old.size()) {
                spec.at(list).forbidden(list + " may not be added or removed on resize");
                same = false;
                continue;
            }
            for (int i = 0; i < now.size(); i++) {
                FieldCursor name = now.get(i).at("name");
                if (!name.text().equals(old.get(i).at("name").text())) {
                    name.forbidden(list + " may not be renamed or reordered on resize");
                    same = false;
                }
            }
        }
        return same;
    }

    private static void containers(FieldCursor spec, FieldCursor before) {
        removals(spec.at("initContainers"), before.at("initContainers"));
        removals(spec.at("containers"), before.at("containers"));
        List<FieldCursor> old = before.at("containers").items();
        int i = 0;
        for (FieldCursor container : spec.at("containers").items()) {
            if (isChangedOtherwise(container, old.get(i++))) {
                spec.forbidden(ONLY);
            }
        }
        List<FieldCursor> oldInit = before.at("initContainers").items();
        i = 0;
        for (FieldCursor container : spec.at("initContainers").items()) {
            initContainer(container, oldInit.get(i++));
        }
        boolean isOptionAdded =
                spec.at(RESOURCES).isSet() && !before.at(RESOURCES).isSet() && !hasAmounts(spec.at(RESOURCES));
        if (isOptionAdded && spec.errors().isEmpty()) {
            spec.forbidden(ONLY);
        }
    }

    private static void removals(FieldCursor containers, FieldCursor before) {
        List<FieldCursor> old = before.items();
        int i = 0;
        for (FieldCursor container : containers.items()) {
            FieldCursor oldAmounts = old.get(i++).at(RESOURCES);
            for (String field : List.of("requests", "limits")) {
                FieldCursor amounts = container.at(RESOURCES, field);
                if (isRemoved(amounts, oldAmounts.at(field))) {
                    amounts.forbidden("resource " + field + " cannot be removed");
                }
            }
        }
    }

    private static void initContainer(FieldCursor container, FieldCursor before) {
        if (isChangedOtherwise(container, before)) {
            container.forbidden("only cpu and memory resources for init or sidecar containers are mutable");
        }
        boolean isSidecar = container.at("restartPolicy").text().equals("Always");
        if (!isSidecar && !container.object().equals(before.object())) {
            container.at("resizePolicy").each(policy -> {
                if (policy.at("restartPolicy").text().equals("RestartContainer")) {
                    container.forbidden(
                            "non-sidecar init containers with a resize policy of RestartContainer cannot be resized");
                }
            });
        }
    }

    /** Returns whether a container differs in more than its CPU and memory. */
    private static boolean isChangedOtherwise(FieldCursor container, FieldCursor before) {
        JsonObject old = before.object();
        JsonObject masked = container
                .object()
                .with(RESOURCES, unchanged(container.object().object(RESOURCES), old.object(RESOURCES)));
        return !masked.equals(old.with(RESOURCES, old.object(RESOURCES)));
    }

    /** Returns the resources with the CPU and the memory of the old ones. */
    private static JsonObject unchanged(JsonObject resources, JsonObject old) {
        JsonObject result = Members.take(JsonObject.EMPTY, "claims", resources);
        for (String field : AMOUNTS) {
            JsonObject amounts = resources.object(field);
            for (String name : RESIZABLE) {
                amounts = Members.take(amounts, name, old.object(field));
            }
            result = amounts.isEmpty() ? result : result.with(field, amounts);
        }
        return result;
    }
}
