/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.apps.DaemonSet;
import io.kubeloop.api.apps.DaemonSetSpec;
import io.kubeloop.api.apps.DaemonSetStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodSpecBuilder;
import io.kubeloop.api.core.PodStatus;
import io.kubeloop.api.core.PodTemplateSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodPlacementTest {

    private static final DaemonSet SET = DaemonSet.of(
            ObjectMetaBuilder.builder().name("agent").namespace("ns").uid("set").build(),
            DaemonSetSpec.EMPTY,
            DaemonSetStatus.EMPTY);

    private final PodPlacement placement = new PodPlacement();

    @Test
    void affinityOfAnUnboundPodChanges_thePodIsOnTheOtherNode() {
        assertThat(placed(pinned("a"))).containsOnlyKeys("a");
        assertThat(placed(pinned("a"))).containsOnlyKeys("a");
        assertThat(placed(pinned("b"))).containsOnlyKeys("b");
    }

    @Test
    void podIsBound_itsNodeCounts_notItsAffinity() {
        assertThat(placed(pinned("a"))).containsOnlyKeys("a");
        Pod pod = pinned("a");
        assertThat(placed(pod.withSpec(
                        PodSpecBuilder.builder(pod.spec()).nodeName("b").build())))
                .containsOnlyKeys("b");
    }

    @Test
    void podHasNoNode_itIsLeftOut_alsoTheSecondTime() {
        Pod free = Pod.of(pinned("a").metadata(), PodTemplateSpec.EMPTY.spec(), PodStatus.EMPTY);
        assertThat(placed(free)).isEmpty();
        assertThat(placed(free)).isEmpty();
    }

    private Map<String, List<Pod>> placed(Pod pod) {
        return placement.byNode(SET, List.of(pod));
    }

    private static Pod pinned(String node) {
        return Pod.of(
                ObjectMetaBuilder.builder().name("agent-1").uid("pod").build(),
                DaemonPods.onNode(PodTemplateSpec.EMPTY, node).spec(),
                PodStatus.EMPTY);
    }
}
