/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodSpecBuilder;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.api.core.PodTemplateSpecBuilder;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The form of a set's pods: each is pinned to its node by a node affinity, and tolerates the taints that must not
 * prevent it (upstream: {@code daemonset_util.go}). Stateless.
 */
final class DaemonPods {

    /** The label that holds the hash of the pod's template. */
    static final String HASH_LABEL = "controller-revision-hash";

    /** The order in which pods of one node count: scheduled ones first, then by age and name. */
    static final Comparator<Pod> OLDEST_FIRST = Comparator.comparing(
                    (Pod pod) -> pod.spec().nodeName().isEmpty())
            .thenComparing(pod -> pod.metadata().creationTimestamp(), Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(pod -> pod.metadata().name());

    private static final String GENERATION_LABEL = "pod-template-generation";
    private static final String GENERATION_ANNOTATION = "deprecated.daemonset.template.generation";

    private static final List<String> REQUIRED_TERMS =
            List.of("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");

    /** Problems of a node that must not drive out its daemons: they may be what solves them. */
    private static final List<JsonObject> TOLERATIONS = List.of(
            toleration("node.kubernetes.io/not-ready", "NoExecute"),
            toleration("node.kubernetes.io/unreachable", "NoExecute"),
            toleration("node.kubernetes.io/disk-pressure", "NoSchedule"),
            toleration("node.kubernetes.io/memory-pressure", "NoSchedule"),
            toleration("node.kubernetes.io/pid-pressure", "NoSchedule"),
            toleration("node.kubernetes.io/unschedulable", "NoSchedule"));

    private static final JsonObject NETWORK = toleration("node.kubernetes.io/network-unavailable", "NoSchedule");

    private DaemonPods() {}

    private static JsonObject toleration(String key, String effect) {
        return JsonObject.EMPTY.with("key", key).with("operator", "Exists").with("effect", effect);
    }

    /** Returns the tolerations of the pods of a template: its own and the automatic ones. */
    static List<JsonObject> tolerations(JsonObject podSpec) {
        List<JsonObject> result = podSpec.array("tolerations").objects().toList();
        for (JsonObject automatic : TOLERATIONS) {
            result = with(result, automatic);
        }
        return podSpec.bool("hostNetwork") ? with(result, NETWORK) : result;
    }

    /** An automatic toleration replaces the same one of the template, which may have a limited time. */
    private static List<JsonObject> with(List<JsonObject> tolerations, JsonObject added) {
        List<JsonObject> result = new ArrayList<>();
        boolean isReplaced = false;
        for (JsonObject toleration : tolerations) {
            boolean isSame = Stream.of("key", "operator", "value", "effect")
                    .allMatch(part -> toleration.string(part).equals(added.string(part)));
            result.add(isSame ? added : toleration);
            isReplaced |= isSame;
        }
        if (!isReplaced) {
            result.add(added);
        }
        return result;
    }

    /** Returns the template of the set's pods, without a node. */
    static PodTemplateSpec template(DaemonSet set, String hash) {
        PodTemplateSpec template = set.spec().template();
        JsonObject spec = JsonObject.of(template.spec().unknownFields());
        Map<String, String> labels = new LinkedHashMap<>(template.metadata().labels());
        Long generation = generation(set);
        if (generation != null) {
            labels.put(GENERATION_LABEL, generation.toString());
        }
        labels.put(HASH_LABEL, hash);
        return PodTemplateSpecBuilder.builder(template)
                .metadata(ObjectMetaBuilder.builder(template.metadata())
                        .labels(labels)
                        .build())
                .spec(withRest(template.spec(), spec.with("tolerations", JsonArray.of(tolerations(spec)))))
                .build();
    }

    /** Returns the template with a node affinity for this node alone, in place of any other required one. */
    static PodTemplateSpec onNode(PodTemplateSpec template, String node) {
        JsonObject name = JsonObject.EMPTY
                .with("key", "metadata.name")
                .with("operator", "In")
                .with("values", JsonArray.ofStrings(List.of(node)));
        JsonValue terms = JsonArray.of(JsonObject.of("matchFields", JsonArray.of(name)));
        JsonObject spec = JsonObject.of(template.spec().unknownFields()).with(REQUIRED_TERMS, terms);
        return PodTemplateSpecBuilder.builder(template)
                .spec(withRest(template.spec(), spec))
                .build();
    }

    private static PodSpec withRest(PodSpec spec, JsonObject rest) {
        return PodSpecBuilder.builder(spec)
                .unknownFields(rest.toUnknownFields())
                .build();
    }

    /**
     * Returns the node that a pod runs on, or is pinned to; null if there is none (upstream: {@code
     * GetTargetNodeName}).
     */
    static @Nullable String node(Pod pod) {
        String node = pod.spec().nodeName();
        if (!node.isEmpty()) {
            return node;
        }
        List<JsonObject> pins = requiredTerms(JsonObject.of(pod.spec().unknownFields()))
                .objects()
                .flatMap(term -> term.array("matchFields").objects())
                .filter(field -> field.string("key").equals("metadata.name")
                        && field.string("operator").equals("In"))
                .toList();
        if (pins.isEmpty() || pins.get(0).array("values").size() != 1) {
            return null;
        }
        return pins.get(0).array("values").strings().findFirst().orElse(null);
    }

    /** Returns the terms of the required node affinity of a pod's spec. */
    static JsonArray requiredTerms(JsonObject podSpec) {
        return podSpec.array(REQUIRED_TERMS.toArray(String[]::new));
    }

    /** Returns whether a pod's spec has a required node affinity, even one without terms. */
    static boolean hasRequiredTerms(JsonObject podSpec) {
        JsonValue required =
                podSpec.get(REQUIRED_TERMS.subList(0, REQUIRED_TERMS.size() - 1).toArray(String[]::new));
        return required != null && required != JsonNull.NULL;
    }

    /** Returns whether the pod has the set's template: by its hash, or by the number that older releases gave it. */
    static boolean isUpdated(Pod pod, String hash, @Nullable Long generation) {
        Map<String, String> labels = pod.metadata().labels();
        return hash.equals(labels.get(HASH_LABEL))
                || (generation != null && generation.toString().equals(labels.get(GENERATION_LABEL)));
    }

    /** Returns the number that older releases gave the set's template; null if there is none. */
    static @Nullable Long generation(DaemonSet set) {
        String text = set.metadata().annotations().get(GENERATION_ANNOTATION);
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
