/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.attachdetach;

import static io.kubeloop.controller.volume.attachdetach.AttachmentWorld.pod;
import static io.kubeloop.controller.volume.attachdetach.AttachmentWorld.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.controller.volumes.VolumeSpec;
import io.kubeloop.testing.SeededRuns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReconcilerTest {

    private static final VolumeSpec ONE = volume("v", "ReadWriteOnce");
    private static final VolumeSpec MANY = volume("m", "ReadWriteMany");
    private static final String NAME = "kubernetes.io/csi/d.example.com^v";

    private final AttachmentWorld world = new AttachmentWorld(true);

    @AfterEach
    void close() {
        world.close();
    }

    private void unwant(String pod, String node) {
        world.desired.remove("default-" + pod, NAME, node);
    }

    /** Attaches the volume to node a, for pod p. */
    private void attach() {
        world.createNode("a", true);
        world.createNode("b", true);
        world.refresh();
        world.desired.add(pod("default", "p", "a"), ONE);
        world.settle();
    }

    @Test
    void volume_isRequested_reportedWhenTheDriverIsDone_andDetachedWhenNoPodNeedsIt() {
        attach();

        assertThat(world.requested()).containsExactly("v@a");
        assertThat(world.reported("a")).containsExactly(Map.entry(NAME, ""));
        assertThat(world.events())
                .containsExactly("p Normal SuccessfulAttachVolume AttachVolume.Attach succeeded for volume \"v\" ");

        unwant("p", "a");
        world.settle();

        assertThat(world.requested()).isEmpty();
        assertThat(world.reported("a")).isEmpty();
        assertThat(world.actual.all()).isEmpty();
    }

    @Test
    void attachment_isNamedByTheHashOfHandleDriverAndNode() {
        assertThat(Attachments.name(volume("handle", "ReadWriteOnce"), "node-1"))
                .isEqualTo("csi-9464babdbef7a608f389670140f9398414bb8ea1617225bf8cc647bc0ed08a2f");
    }

    @Test
    void volumeOfOneNode_waitsForTheOther_andSaysOnceByWhomItIsUsed() {
        attach();
        world.desired.add(pod("default", "p2", "a"), ONE);
        world.desired.add(pod("other", "far", "a"), ONE);
        world.desired.add(pod("default", "q", "b"), ONE);
        world.desired.add(pod("third", "r", "b"), ONE);

        world.settle();

        assertThat(world.requested()).containsExactly("v@a");
        assertThat(world.events())
                .filteredOn(event -> event.contains("Waiting for detach"))
                .containsExactly(
                        "q Warning FailedAttachVolume Waiting for detach for volume \"v\" Volume is already used by"
                                + " pod(s) p, p2 and 1 pod(s) in different namespaces",
                        "r Warning FailedAttachVolume Waiting for detach for volume \"v\" Volume is already used by 3"
                                + " pod(s) in different namespaces");

        unwant("p", "a");
        unwant("p2", "a");
        world.desired.remove("other-far", NAME, "a");
        world.settle();
        assertThat(world.requested()).containsExactly("v@b");
    }

    @Test
    void volumeThatNoPodNeedsButANodeUses_isSaidToBeAttached() {
        attach();
        world.status("a", "'volumesInUse':['" + NAME + "']");
        world.refresh();
        unwant("p", "a");
        world.desired.add(pod("default", "q", "b"), ONE);

        world.settle();

        assertThat(world.requested()).containsExactly("v@a");
        assertThat(world.reported("a")).containsKey(NAME);
        assertThat(world.events())
                .contains("q Warning FailedAttachVolume Waiting for detach for volume \"v\" Volume is already"
                        + " exclusively attached to one node, waiting on detach before it can be attached to "
                        + "another node");

        world.status("a", "'volumesInUse':[]");
        world.refresh();
        world.settle();
        assertThat(world.requested()).containsExactly("v@b");
    }

    @Test
    void volumeOfManyNodes_isAttachedToEach() {
        world.createNode("a", true);
        world.createNode("b", true);
        world.refresh();
        world.desired.add(pod("default", "p", "a"), MANY);
        world.desired.add(pod("default", "q", "b"), MANY);

        world.settle();

        assertThat(world.requested()).containsExactly("m@a", "m@b");
    }

    @Test
    void nodeThatIsNotReady_losesItsVolumeAfter6Minutes_aReadyOneDoesNot() {
        attach();
        world.status("a", "'volumesInUse':['" + NAME + "']");
        world.refresh();
        unwant("p", "a");
        world.settle();
        world.clock.advance(Duration.ofMinutes(7));
        world.settle();
        assertThat(world.requested()).containsExactly("v@a");
        assertThat(world.waits).anyMatch(wait -> wait.compareTo(Duration.ofMinutes(5)) > 0);

        world.status("a", "'conditions':[{'type':'Ready','status':'Unknown'}]");
        world.refresh();
        world.settle();

        assertThat(world.requested()).isEmpty();
        assertThat(world.metrics.values())
                .containsEntry("attach_detach_controller_attachdetach_controller_forced_detaches[timeout]", 1.0);
    }

    @Test
    void forcedDetachment_canBeDisabled() {
        try (AttachmentWorld patient = new AttachmentWorld(false)) {
            patient.createNode("a", false);
            patient.refresh();
            patient.desired.add(pod("default", "p", "a"), ONE);
            patient.settle();
            patient.status("a", "'volumesInUse':['" + NAME + "']");
            patient.refresh();
            patient.desired.remove("default-p", NAME, "a");
            patient.settle();
            patient.clock.advance(Duration.ofHours(1));
            patient.settle();
            assertThat(patient.requested()).containsExactly("v@a");
        }
    }

    @Test
    void nodeThatIsOutOfService_losesItsVolumeAtOnce() {
        attach();
        world.status("a", "'volumesInUse':['" + NAME + "']");
        world.requests
                .send(
                        "PATCH",
                        AttachmentWorld.NODES + "/a",
                        "application/merge-patch+json",
                        "{'spec':{'taints':[{'key':'node.kubernetes.io/out-of-service','effect':'NoExecute'}]}}")
                .ok();
        world.refresh();
        unwant("p", "a");

        world.settle();

        assertThat(world.requested()).isEmpty();
        assertThat(world.metrics.values())
                .containsEntry("attach_detach_controller_attachdetach_controller_forced_detaches[out-of-service]", 1.0);
    }

    @Test
    void serverThatHasTheVolumeInUse_stopsADetachmentThatTheCacheAllows() {
        attach();
        world.status("a", "'volumesInUse':['" + NAME + "']");
        unwant("p", "a");

        world.reconciler.reconcile();

        assertThat(world.requested()).containsExactly("v@a");
        assertThat(world.actual.isAttached(NAME, "a")).isFalse();
        assertThat(world.metrics.values())
                .containsKey("storage_operation_duration_seconds[kubernetes.io/csi:d.example.com, volume_detach,"
                        + " fail-unknown, false]");
    }

    @Test
    void driverThatReportsAnError_isTriedAgainWithBackoff_andATimeoutIsReported() {
        world.createNode("a", true);
        world.refresh();
        world.desired.add(pod("default", "p", "a"), ONE);
        world.pass();
        String path = AttachmentWorld.ATTACHMENTS + "/" + Attachments.name(ONE, "a");
        world.requests
                .send(
                        "PATCH",
                        path + "/status",
                        "application/merge-patch+json",
                        "{'status':{'attached':false,'attachError':{'message':'no room'}}}")
                .ok();
        List<Duration> backoffs = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            world.waits.clear();
            world.pass();
            Duration wait = world.waits.get(world.waits.size() - 1);
            backoffs.add(wait);
            world.clock.advance(wait);
        }
        assertThat(backoffs.stream().map(Duration::toSeconds))
                .containsExactly(0L, 1L, 2L, 4L, 8L, 16L, 32L, 64L, 122L, 122L);
        assertThat(world.events())
                .hasSize(10)
                .containsOnly("p Warning FailedAttachVolume AttachVolume.Attach failed for volume \"v\" : no room");

        world.requests
                .send("PATCH", path + "/status", "application/merge-patch+json", "{'status':{'attachError':null}}")
                .ok();
        world.pass();
        world.clock.advance(Duration.ofMinutes(2));
        world.pass();
        assertThat(world.events())
                .endsWith("p Warning FailedAttachVolume AttachVolume.Attach failed for volume \"v\" : timed out waiting"
                        + " for external-attacher of d.example.com CSI driver to attach volume v");
    }

    @Test
    void volumeThatSomebodyElseDetached_isAttachedAgain() {
        attach();
        world.requests
                .delete(AttachmentWorld.ATTACHMENTS + "/" + Attachments.name(ONE, "a"))
                .ok();
        world.refresh();

        world.reconciler.checkAttachments();
        assertThat(world.actual.all()).isEmpty();

        world.settle();
        assertThat(world.requested()).containsExactly("v@a");
        assertThat(world.reported("a")).containsKey(NAME);
    }

    @Test
    void blockDevicesOfANetwork_areAttachedWithoutADriver() {
        world.createNode("a", true);
        world.refresh();
        VolumeSpec disk = new VolumeSpec(
                "pv", VolumeSpec.ISCSI, "portal:iqn:0", List.of("ReadWriteOnce"), true, false, ONE.inline());
        world.desired.add(pod("default", "p", "a"), disk);

        world.reconciler.reconcile();
        assertThat(world.reported("a")).containsOnlyKeys("kubernetes.io/iscsi/portal:iqn:0");
        assertThat(world.requested()).isEmpty();

        world.desired.remove("default-p", disk.uniqueName(), "a");
        world.refresh();
        world.reconciler.reconcile();
        world.reconciler.reconcile();
        assertThat(world.reported("a")).isEmpty();
    }

    /**
     * Pods come and go, the drivers and the caches lag: no two nodes ever have the volume that one may have, and in the
     * end exactly what pods need is attached and reported.
     */
    @Test
    @Tag("stress")
    void volumesFollowTheirPods_whateverLags() {
        SeededRuns.each(seed -> new Run(new AttachmentWorld(true), new Random(seed)), ReconcilerTest::simulate);
    }

    private record Run(AttachmentWorld world, Random random) implements AutoCloseable {

        @Override
        public void close() {
            world.close();
        }
    }

    private static void simulate(Run seeded) {
        AttachmentWorld run = seeded.world();
        Random random = seeded.random();
        List<String> nodes = List.of("a", "b", "c");
        nodes.forEach(node -> run.createNode(node, true));
        run.refresh();
        List<VolumeSpec> volumes = List.of(ONE, volume("w", "ReadWriteOncePod"), MANY);
        Map<String, String> pods = new HashMap<>();
        for (int step = 0; step < 60; step++) {
            VolumeSpec volume = volumes.get(random.nextInt(3));
            String node = nodes.get(random.nextInt(3));
            String key = volume.name() + "@" + node;
            switch (random.nextInt(6)) {
                case 0 -> {
                    run.desired.add(pod("default", key, node), volume);
                    pods.put(key, node);
                }
                case 1 -> {
                    run.desired.remove("default-" + key, volume.uniqueName(), node);
                    pods.remove(key);
                }
                case 2 -> run.driversWork();
                case 3 -> run.refresh();
                case 4 -> run.reconciler.reconcile();
                default -> run.pass();
            }
            run.clock.advance(Duration.ofMillis(random.nextInt(700)));
            for (String exclusive : List.of("v@", "w@")) {
                assertThat(run.requested().stream().filter(request -> request.startsWith(exclusive)))
                        .as("step " + step)
                        .hasSizeLessThan(2);
            }
        }
        pods.keySet().removeIf(key -> key.startsWith("v@") || key.startsWith("w@"));
        volumes.subList(0, 2)
                .forEach(volume -> nodes.forEach(node ->
                        run.desired.remove("default-" + volume.name() + "@" + node, volume.uniqueName(), node)));
        run.settle();
        run.settle();
        assertThat(run.requested()).isEqualTo(List.copyOf(new TreeSet<>(pods.keySet())));
        nodes.forEach(node ->
                assertThat(run.reported(node).containsKey(MANY.uniqueName())).isEqualTo(pods.containsKey("m@" + node)));
    }
}
