/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.OwnerReferenceBuilder;
import io.kubeloop.api.Time;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.PodConditionBuilder;
import io.kubeloop.api.core.PodSpecBuilder;
import io.kubeloop.api.core.PodStatusBuilder;
import io.kubeloop.demo.Convergence.ServiceProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each phase of an object is one line, whatever the order in which the informers report the objects. */
class NarratorTest {

    private static final Time BEFORE = Time.parse("2026-01-01T00:00:00Z");
    private static final Time CREATED = Time.parse("2026-01-01T00:00:05Z");
    private static final ObjectName WEB = new ObjectName("default", "web");

    private final List<String> lines = new ArrayList<>();
    private final Narrator narrator = new Narrator(lines::add);

    private static Owner web(int wanted, int reportedReady) {
        ObjectMeta metadata = ObjectMetaBuilder.builder(ObjectMeta.named("default", "web"))
                .uid("uid-web")
                .creationTimestamp(CREATED)
                .build();
        return new Owner("ReplicaSet", metadata, wanted, reportedReady, true, null);
    }

    private static Pod pod(String name, boolean ready, Time created) {
        return Pod.of(
                ObjectMetaBuilder.builder(ObjectMeta.named("default", name))
                        .creationTimestamp(created)
                        .ownerReferences(List.of(OwnerReferenceBuilder.builder()
                                .uid("uid-web")
                                .controller(true)
                                .build()))
                        .build(),
                PodSpecBuilder.builder().nodeName("node-1").build(),
                PodStatusBuilder.builder()
                        .phase("Running")
                        .podIP("10.0.0." + name)
                        .conditions(List.of(PodConditionBuilder.builder()
                                .type("Ready")
                                .status(ready ? "True" : "False")
                                .build()))
                        .build());
    }

    private static Pod pod(String name, boolean ready) {
        return pod(name, ready, CREATED);
    }

    private void settle() {
        narrator.owner(web(2, 0));
        for (String name : List.of("1", "2")) {
            narrator.pod(pod(name, false));
            narrator.pod(pod(name, true));
        }
        narrator.owner(web(2, 2));
    }

    @Test
    void owner_fromNoPodsToAllReady_isThreeLines() {
        settle();
        narrator.owner(web(2, 2));
        assertThat(lines)
                .containsExactly(
                        "ReplicaSet controller: web has 0 of 2 pods, creating 2",
                        "Kubelet: the 2 pods of web have addresses on node-1 and are ready",
                        "ReplicaSet controller: web has 2 of 2 pods ready, reported in its status; nothing left to do");
    }

    @Test
    void owner_reportedAfterItsPods_isExplainedTheSameWay() {
        narrator.pod(pod("1", true));
        narrator.pod(pod("2", true));
        narrator.owner(web(2, 2));
        assertThat(lines)
                .containsExactly(
                        "ReplicaSet controller: web has 0 of 2 pods, creating 2",
                        "Kubelet: the 2 pods of web have addresses on node-1 and are ready",
                        "ReplicaSet controller: web has 2 of 2 pods ready, reported in its status; nothing left to do");
    }

    @Test
    void owner_olderPodsAreAdopted_andCount() {
        narrator.pod(pod("1", true, BEFORE));
        narrator.owner(web(2, 0));
        assertThat(lines).containsExactly("ReplicaSet controller: web has 1 of 2 pods, creating 1");
    }

    @Test
    void podGone_namesThePodAndTheReplacement() {
        settle();
        lines.clear();
        narrator.podGone(new ObjectName("default", "1"));
        narrator.pod(pod("3", true));
        assertThat(lines)
                .containsExactly(
                        "ReplicaSet controller: web lost pod 1 and has 1 of 2 pods, creating 1",
                        "Kubelet: pod 3 has address 10.0.0.3 on node-1 and is ready",
                        "ReplicaSet controller: web has 2 of 2 pods ready, reported in its status; nothing left to do");
    }

    @Test
    void owner_scaledDown_deletesPods_withoutAnotherGap() {
        settle();
        lines.clear();
        narrator.owner(web(1, 2));
        narrator.podGone(new ObjectName("default", "1"));
        narrator.owner(web(1, 1));
        assertThat(lines)
                .containsExactly(
                        "ReplicaSet controller: web has 2 of 1 pod, deleting 1",
                        "ReplicaSet controller: web has 1 of 1 pod ready, reported in its status; nothing left to do");
    }

    @Test
    void ownerGone_leavesItsPodsToTheGarbageCollector() {
        settle();
        lines.clear();
        narrator.ownerGone(web(2, 2).metadata());
        narrator.podGone(new ObjectName("default", "1"));
        assertThat(lines)
                .containsExactly("Garbage collector: ReplicaSet web is deleted, deleting 2 pods that it owned");
    }

    @Test
    void endpoints_fromEmptyToComplete_isTwoLines() {
        narrator.endpoints(WEB, new ServiceProgress(Set.of(), 0, false));
        narrator.endpoints(WEB, new ServiceProgress(Set.of("10.0.0.1"), 1, false));
        narrator.endpoints(WEB, new ServiceProgress(Set.of("10.0.0.1", "10.0.0.2"), 0, true));
        narrator.endpoints(WEB, new ServiceProgress(Set.of("10.0.0.1", "10.0.0.2"), 0, true));
        assertThat(lines)
                .containsExactly(
                        "Endpoints controller: Service web selects no pod with an address yet; the Endpoints are empty",
                        "Endpoints controller: Service web selects 2 pods, all ready; their addresses are in the "
                                + "Endpoints");
    }

    @Test
    void endpoints_noPodReady_saysThatTheyAreListedAsNotReady() {
        narrator.endpoints(WEB, new ServiceProgress(Set.of(), 3, false));
        assertThat(lines)
                .containsExactly("Endpoints controller: Service web selects 3 pods, none ready; the Endpoints list them"
                        + " as not ready");
    }

    @Test
    void endpoints_addressReplaced_isExplainedAgain() {
        narrator.endpoints(WEB, new ServiceProgress(Set.of("10.0.0.1"), 0, true));
        narrator.endpoints(WEB, new ServiceProgress(Set.of("10.0.0.2"), 0, true));
        narrator.endpoints(WEB, new ServiceProgress(Set.of(), 1, false));
        narrator.endpointsGone(WEB);
        assertThat(lines)
                .containsExactly(
                        "Endpoints controller: Service web selects 1 pod, ready; its address is in the Endpoints",
                        "Endpoints controller: Service web selects 1 pod, ready; its address is in the Endpoints",
                        "Endpoints controller: Service web lost 1 of 1 ready pods; their addresses leave the Endpoints",
                        "Endpoints controller: Service web is deleted, and so are the Endpoints");
    }

    @Test
    void objects_moreThanTheLimit_areNotExplained() {
        for (int i = 0; i < Narrator.MAX_OBJECTS + 3; i++) {
            narrator.endpoints(new ObjectName("shop", "s" + i), new ServiceProgress(Set.of(), 0, false));
        }
        assertThat(lines).hasSize(Narrator.MAX_OBJECTS).last().asString().contains("Service shop/s11 ");
    }

    @Test
    void event_ofAnOwnerWithoutPodsOfItsOwn_isOneLine() {
        ObjectMeta metadata = ObjectMeta.named("shop", "web");
        Owner deployment = new Owner("Deployment", metadata, 3, 0, false, 0);
        narrator.event(deployment, "uid-1", "Scaled up replica set web-1 from 0 to 3");
        narrator.event(deployment, "uid-1", "Scaled up replica set web-1 from 0 to 3");
        assertThat(lines).containsExactly("Deployment controller: shop/web: Scaled up replica set web-1 from 0 to 3");
    }
}
