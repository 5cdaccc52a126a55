/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.selinuxwarning;

import io.kubeloop.api.core.Container;
import io.kubeloop.api.core.Pod;
import io.kubeloop.json.tree.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The volumes that the containers of a pod mount (upstream: {@code GetPodVolumeNames}). Static functions only. */
final class PodMounts {

    private PodMounts() {}

    /**
     * Returns the labels of the containers that mount a volume, by the volume's name. A volume of containers without
     * labels has an empty set.
     *
     * @param podSecurity the security context of the pod, whose SELinux options containers without own ones have
     */
    static Map<String, Set<SelinuxLabel>> labels(Pod pod, JsonObject podSecurity) {
        Map<String, Set<SelinuxLabel>> labels = new HashMap<>();
        Stream.of(
                        pod.spec().initContainers().stream().map(PodMounts::members),
                        pod.spec().containers().stream().map(PodMounts::members),
                        JsonObject.of(pod.spec().unknownFields())
                                .array("ephemeralContainers")
                                .objects())
                .flatMap(containers -> containers)
                .forEach(container -> {
                    JsonObject security = container.object("securityContext");
                    JsonObject effective = security.has("seLinuxOptions") ? security : podSecurity;
                    container.array("volumeMounts").objects().forEach(mount -> {
                        Set<SelinuxLabel> found = labels.computeIfAbsent(mount.string("name"), name -> new HashSet<>());
                        if (effective.has("seLinuxOptions")) {
                            found.add(SelinuxLabel.of(effective.object("seLinuxOptions")));
                        }
                    });
                });
        return labels;
    }

    private static JsonObject members(Container container) {
        return JsonObject.of(container.unknownFields());
    }
}
