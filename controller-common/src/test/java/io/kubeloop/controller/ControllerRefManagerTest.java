/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpec;
import io.kubeloop.api.core.PodStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What vectors and simulations of the ReplicaSet controller, whose candidates are all of one namespace, cannot ask. */
class ControllerRefManagerTest {

    private final List<String> patched = new ArrayList<>();

    private static Pod pod(String namespace, String name) {
        return Pod.of(
                ObjectMetaBuilder.builder()
                        .namespace(namespace)
                        .name(name)
                        .uid(namespace + "-" + name)
                        .labels(Map.of("app", "web"))
                        .build(),
                PodSpec.EMPTY,
                PodStatus.EMPTY);
    }

    private List<Pod> claimFor(String ownersNamespace, List<Pod> candidates) {
        return new ControllerRefManager<Pod>(
                        ResourceTypes.REPLICA_SETS,
                        pod(ownersNamespace, "owner"),
                        labels -> "web".equals(labels.get("app")),
                        () -> {},
                        "Pod",
                        (pod, patch) -> patched.add(pod.metadata().namespace() + "/"
                                + pod.metadata().name()))
                .claim(candidates);
    }

    @Test
    void claimPods_orphanOfAnotherNamespace_isLeftAlone() {
        Pod near = pod("default", "near");
        assertThat(claimFor("default", List.of(pod("elsewhere", "far"), near))).containsExactly(near);
        assertThat(patched).containsExactly("default/near");
    }

    @Test
    void claimPods_ownerOutsideOfNamespaces_adoptsEverywhere() {
        assertThat(claimFor("", List.of(pod("a", "one"), pod("b", "two")))).hasSize(2);
        assertThat(patched).containsExactly("a/one", "b/two");
    }
}
