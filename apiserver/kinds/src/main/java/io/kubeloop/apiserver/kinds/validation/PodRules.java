/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Validation of pods and of their changes (upstream: {@code ValidatePodCreate}, {@code ValidatePodUpdate}). */
public final class PodRules {

    private static final List<String> CONTAINERS = List.of("containers", "initContainers");
    private static final String FROZEN = "pod updates may not change fields other than `spec.containers[*].image`,"
            + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to "
            + "existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was "
            + "previously negative)";
    private static final String NODE_TERMS = "requiredDuringSchedulingIgnoredDuringExecution";

    private PodRules() {}

    /** Validates a pod. */
    public static void pod(FieldCursor pod) {
        FieldCursor spec = pod.at("spec");
        PodSpecRules.annotations(pod.at("metadata", "annotations"), spec);
        PodSpecRules.spec(spec, pod.at("metadata", "name").text());
        if (spec.at("serviceAccountName").isEmpty()) {
            spec.at("volumes")
                    .each(volume -> volume.at("projected", "sources")
                            .each(source -> source.at("serviceAccountToken")
                                    .mustBeAbsent("must not be specified when serviceAccountName is not set")));
        }
        CONTAINERS.forEach(list -> spec.at(list).each(ContainerRules::imageOfPod));
    }

    /** Rejects fields that a new pod must not have. */
    public static void newPod(FieldCursor pod) {
        FieldCursor spec = pod.at("spec");
        spec.at(EphemeralContainers.LIST).mustBeEmpty("cannot be set on create");
        if (!spec.at("nodeName").isEmpty() && !spec.at("schedulingGates").isEmpty()) {
            spec.at("nodeName").forbidden("cannot be set until all schedulingGates have been cleared");
        }
    }

    /** Validates the change of a pod. */
    public static void update(FieldCursor pod, FieldCursor old, Part part) {
        switch (part) {
            case MAIN -> main(pod.at("spec"), old.at("spec"));
            case STATUS -> PodStatusRules.update(pod.at("status"), old);
            case EPHEMERAL_CONTAINERS -> EphemeralContainers.validateUpdate(pod, old);
            case RESIZE -> PodResize.validate(pod, old);
            default -> {}
        }
    }

    private static void main(FieldCursor spec, FieldCursor old) {
        for (String list : CONTAINERS) {
            if (spec.at(list).array().size() != old.at(list).array().size()) {
                spec.at(list).forbidden("pod updates may not add or remove containers");
                return;
            }
            spec.at(list).each(container -> {
                if (container.at("image").text().isBlank()) {
                    container.at("image").required("");
                }
            });
        }
        if (!deadline(spec.at("activeDeadlineSeconds"), old.at("activeDeadlineSeconds"))) {
            return;
        }
        tolerations(spec.at("tolerations"), old.at("tolerations"));
        gates(spec.at("schedulingGates"), old.at("schedulingGates"));
        JsonObject expected = mutable(spec.object(), old.object());
        if (!old.at("schedulingGates").isEmpty()) {
            expected = gated(spec, old, expected);
        }
        if (!expected.equals(old.object())) {
            JsonObject shown = mutable(spec.showing(expected).shownObject(), old.object());
            spec.forbidden(FROZEN + "\n" + InternalDiff.of("core.v1.PodSpec", old.object(), shown));
        }
    }

    private static boolean deadline(FieldCursor deadline, FieldCursor before) {
        deadline.between(0, Integer.MAX_VALUE);
        if (deadline.isSet() && deadline.number() != (deadline.number() & Integer.MAX_VALUE)) {
            return false;
        }
        if (before.isSet() && !deadline.isSet()) {
            deadline.invalid("must not update from a positive integer to nil value");
        } else if (before.isSet() && deadline.number() > before.number()) {
            deadline.invalid("must be less than or equal to previous value");
            return false;
        }
        return true;
    }

    private static void tolerations(FieldCursor tolerations, FieldCursor before) {
        Set<JsonObject> now = timeless(tolerations).collect(Collectors.toSet());
        if (!timeless(before).allMatch(now::contains)) {
            tolerations.forbidden("existing toleration can not be modified except its tolerationSeconds");
            return;
        }
        tolerations.each(SchedulingRules::toleration);
    }

    private static Stream<JsonObject> timeless(FieldCursor tolerations) {
        return tolerations.array().objects().map(toleration -> toleration.without("tolerationSeconds"));
    }

    private static void gates(FieldCursor gates, FieldCursor before) {
        Set<String> known =
                before.array().objects().map(gate -> gate.string("name")).collect(Collectors.toSet());
        Map<String, FieldCursor> last = new LinkedHashMap<>();
        gates.each(gate -> last.put(gate.at("name").text(), gate.at("name")));
        last.forEach((name, field) -> {
            if (!known.contains(name)) {
                field.forbidden("only deletion is allowed, but found new scheduling gate '" + name + "'");
            }
        });
    }

    /** Returns the new spec with the fields that may change as they were. */
    private static JsonObject mutable(JsonObject spec, JsonObject old) {
        JsonObject result = spec;
        for (String list : CONTAINERS) {
            List<JsonObject> before = old.array(list).objects().toList();
            List<JsonObject> now = spec.array(list).objects().toList();
            List<JsonObject> kept = new ArrayList<>();
            for (int i = 0; i < now.size(); i++) {
                kept.add(now.get(i).with("image", before.get(i).string("image")));
            }
            result = kept.isEmpty() ? result : result.with(list, JsonArray.of(kept));
        }
        for (String field : List.of("activeDeadlineSeconds", "schedulingGates", "tolerations")) {
            result = taken(result, field, old);
        }
        return result;
    }

    private static JsonObject taken(JsonObject object, String field, JsonObject from) {
        JsonValue value = from.get(field);
        return value == null ? object.without(field) : object.with(field, value);
    }

    /** A gated pod may get more requirements on its node. */
    private static JsonObject gated(FieldCursor spec, FieldCursor old, JsonObject expected) {
        FieldCursor selector = spec.at("nodeSelector");
        JsonObject before = old.at("nodeSelector").object();
        if (!before.members().entrySet().stream()
                .allMatch(entry -> entry.getValue().equals(selector.object().get(entry.getKey())))) {
            selector.invalid("only additions to spec.nodeSelector are allowed (no mutations or deletions)");
        }
        JsonObject result = taken(expected, "nodeSelector", old.object());
        FieldCursor affinity = spec.at("affinity", "nodeAffinity");
        JsonValue oldAffinity = old.object().get("affinity", "nodeAffinity");
        terms(affinity.at(NODE_TERMS, "nodeSelectorTerms"), old.at("affinity", "nodeAffinity", NODE_TERMS));
        if (oldAffinity != null) {
            return result.with(List.of("affinity", "nodeAffinity"), oldAffinity);
        }
        JsonObject rest = result.object("affinity").without("nodeAffinity");
        return rest.isEmpty() && !old.at("affinity").isSet()
                ? result.without("affinity")
                : result.with("affinity", rest);
    }

    private static void terms(FieldCursor terms, FieldCursor old) {
        List<JsonObject> before =
                old.object().array("nodeSelectorTerms").objects().toList();
        if (before.isEmpty()) {
            return;
        }
        List<FieldCursor> now = terms.items();
        if (now.size() != before.size()) {
            terms.holding(InternalForm.list("core.v1.NodeSelectorTerm", terms))
                    .invalid("no additions/deletions to non-empty NodeSelectorTerms list are allowed");
            return;
        }
        for (int i = 0; i < now.size(); i++) {
            JsonObject term = now.get(i).object();
            JsonObject earlier = before.get(i);
            boolean added = (!earlier.isEmpty() || term.isEmpty())
                    && startsWith(term.array("matchExpressions"), earlier.array("matchExpressions"))
                    && startsWith(term.array("matchFields"), earlier.array("matchFields"));
            if (!added) {
                InternalForm.shown("core.v1.NodeSelectorTerm", now.get(i))
                        .invalid("only additions are allowed (no mutations or deletions)");
            }
        }
    }

    private static boolean startsWith(JsonArray list, JsonArray start) {
        return list.size() >= start.size()
                && list.elements().subList(0, start.size()).equals(start.elements());
    }
}
