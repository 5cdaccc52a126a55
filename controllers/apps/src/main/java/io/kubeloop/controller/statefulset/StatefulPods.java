/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.StatefulSet;
import io.kubeloop.api.apps.VolumeClaimTemplate;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodSpecBuilder;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.api.core.PodTemplateSpec;
import io.kubeloop.controller.ControllerRefs;
import io.kubeloop.controller.pods.PodTemplates;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The form of a set's pods: the identity in names and labels, and the volumes of their claims (upstream: {@code
 * stateful_set_utils.go}). Stateless.
 */
final class StatefulPods {

    /** The label that holds the name of the pod's revision. */
    static final String REVISION_LABEL = "controller-revision-hash";

    private static final String POD_NAME_LABEL = "statefulset.kubernetes.io/pod-name";
    private static final String POD_INDEX_LABEL = "apps.kubernetes.io/pod-index";

    private StatefulPods() {}

    /**
     * Returns a pod that is yet to be created. It has no phase.
     *
     * @param template the template of the revision
     * @param revision the name of the revision
     */
    static Pod form(StatefulSet set, PodTemplateSpec template, String revision, int ordinal) {
        Pod pod = PodTemplates.podFromTemplate(
                template,
                set.metadata().namespace(),
                ControllerRefs.newControllerRef(ResourceTypes.STATEFUL_SETS, set));
        String name = Ordinals.podName(set, ordinal);
        Map<String, String> labels = identity(pod.metadata().labels(), name, ordinal);
        labels.put(REVISION_LABEL, revision);
        PodSpec spec = PodSpecBuilder.builder(pod.spec())
                .hostname(name)
                .subdomain(set.spec().serviceName())
                .build();
        return Pod.of(
                ObjectMetaBuilder.builder(pod.metadata())
                        .name(name)
                        .labels(labels)
                        .build(),
                withStorage(set, spec, ordinal),
                PodStatus.EMPTY);
    }

    /** Returns the pod with the identity of its ordinal. */
    static Pod withIdentity(Pod pod) {
        ObjectMeta metadata = pod.metadata();
        Map<String, String> labels = identity(metadata.labels(), metadata.name(), Ordinals.of(metadata.name()));
        return pod.withMetadata(
                ObjectMetaBuilder.builder(metadata).labels(labels).build());
    }

    private static Map<String, String> identity(Map<String, String> labels, String name, int ordinal) {
        Map<String, String> result = new LinkedHashMap<>(labels);
        result.put(POD_NAME_LABEL, name);
        result.put(POD_INDEX_LABEL, Integer.toString(ordinal));
        return result;
    }

    /** Returns whether the pod's labels tell its name (upstream: {@code identityMatches}). */
    static boolean hasIdentity(StatefulSet set, Pod pod) {
        String name = pod.metadata().name();
        int ordinal = Ordinals.of(name);
        return ordinal >= 0
                && name.equals(Ordinals.podName(set, ordinal))
                && name.equals(pod.metadata().labels().get(POD_NAME_LABEL));
    }

    /** Returns whether the pod mounts its claims (upstream: {@code storageMatches}). */
    static boolean hasStorage(StatefulSet set, Pod pod) {
        List<VolumeClaimTemplate> templates = set.spec().volumeClaimTemplates();
        if (templates.isEmpty()) {
            return true;
        }
        int ordinal = Ordinals.of(pod.metadata().name());
        Map<String, String> claims = new LinkedHashMap<>();
        volumes(pod.spec())
                .objects()
                .forEach(volume ->
                        claims.put(volume.string("name"), volume.string("persistentVolumeClaim", "claimName")));
        return templates.stream()
                .allMatch(template -> claimName(set, template, ordinal)
                        .name()
                        .equals(claims.get(template.metadata().name())));
    }

    /** Returns the pod with the volumes of its claims; other volumes of these names go. */
    static Pod withStorage(StatefulSet set, Pod pod) {
        return pod.withSpec(
                withStorage(set, pod.spec(), Ordinals.of(pod.metadata().name())));
    }

    private static PodSpec withStorage(StatefulSet set, PodSpec spec, int ordinal) {
        List<VolumeClaimTemplate> templates = set.spec().volumeClaimTemplates();
        if (templates.isEmpty()) {
            return spec;
        }
        List<JsonValue> volumes = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        for (VolumeClaimTemplate template : templates) {
            String name = template.metadata().name();
            names.add(name);
            String claim = claimName(set, template, ordinal).name();
            volumes.add(JsonObject.builder()
                    .put("name", name)
                    .put("persistentVolumeClaim", JsonObject.EMPTY.with("claimName", claim))
                    .build());
        }
        volumes(spec)
                .objects()
                .filter(other -> !names.contains(other.string("name")))
                .forEach(volumes::add);
        return PodSpecBuilder.builder(spec)
                .unknownFields(JsonObject.of(spec.unknownFields())
                        .with("volumes", JsonArray.of(volumes))
                        .toUnknownFields())
                .build();
    }

    private static JsonArray volumes(PodSpec spec) {
        return JsonObject.of(spec.unknownFields()).array("volumes");
    }

    /** Returns the name of the claim that a pod has from a template. */
    static ObjectName claimName(StatefulSet set, VolumeClaimTemplate template, int ordinal) {
        return new ObjectName(
                set.metadata().namespace(),
                template.metadata().name() + "-" + set.metadata().name() + "-" + ordinal);
    }

    /** Returns the name of the pod's revision; empty if it has none. */
    static String revision(Pod pod) {
        return pod.metadata().labels().getOrDefault(REVISION_LABEL, "");
    }

    /** Returns whether the server has the pod; one that is yet to be created has no phase. */
    static boolean isCreated(Pod pod) {
        return !pod.status().phase().isEmpty();
    }

    /** Returns whether the pod runs and is ready. */
    static boolean isRunningAndReady(Pod pod) {
        return pod.status().phase().equals(PodStatus.RUNNING) && pod.isReady();
    }
}
