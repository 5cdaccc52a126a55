/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.DeleteOptions;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Released volumes with the policy Recycle, on a server, with caches that the test fills. */
class RecyclerTest {

    private static final ObjectName POD = new ObjectName("default", "recycler-for-v");

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final FakeLister<PersistentVolumeClaim> claims = new FakeLister<>();
    private final FakeLister<GenericObject> volumes = new FakeLister<>();
    private final FakeLister<Pod> pods = new FakeLister<>();
    private final FakeRecorder recorder = new FakeRecorder();
    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final Binding binding = new Binding(
            claims,
            volumes,
            client,
            recorder,
            new WriteBarrier(clock, worker -> {})
                    .follow(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claims)
                    .follow(ResourceTypes.PERSISTENT_VOLUMES, volumes)
                    .follow(ResourceTypes.PODS, pods));
    private final VolumeSync volumeSync = new VolumeSync(
            binding,
            new Reclaim(
                    binding,
                    new Recycler(
                            binding,
                            pods,
                            client.resource(Recycler.PODS),
                            PersistentVolumeConfig.DEFAULT.recyclers(),
                            clock)),
            claim -> {});

    @AfterEach
    void close() {
        server.close();
    }

    private void createReleased(String size, String source) {
        requests.post(
                        "/api/v1/persistentvolumes",
                        "{'metadata':{'name':'v','annotations':{'pv.kubernetes.io/bound-by-controller':'yes'}},"
                                + "'spec':{'capacity':{'storage':'" + size + "'},'accessModes':['ReadWriteOnce'],"
                                + source + ",'persistentVolumeReclaimPolicy':'Recycle',"
                                + "'claimRef':{'namespace':'default','name':'gone','uid':'u'}}}")
                .ok();
        sync();
    }

    /** The caches show what the server has, and the volume is synced. */
    private void sync() {
        volumes.list().forEach(volume -> volumes.remove(volume.objectName()));
        pods.list().forEach(pod -> pods.remove(pod.objectName()));
        client.resource(ResourceTypes.PERSISTENT_VOLUMES)
                .list("", ListOptions.NONE)
                .items()
                .forEach(volumes::with);
        client.resource(ResourceTypes.PODS).list("", ListOptions.NONE).items().forEach(pods::with);
        assertThat(binding.isBehind()).isFalse();
        volumeSync.sync("v");
    }

    private void podBecomes(String status) {
        client.resource(ResourceTypes.PODS).patch(POD, Patch.merge("{\"status\":" + status + "}"), "status");
        sync();
    }

    private JsonObject volume() {
        return requests.get("/api/v1/persistentvolumes/v").body();
    }

    private JsonObject pod() {
        return requests.get("/api/v1/namespaces/default/pods/recycler-for-v").body();
    }

    private List<String> podNames() {
        return client.resource(ResourceTypes.PODS).list("default", ListOptions.NONE).items().stream()
                .map(pod -> pod.metadata().name())
                .toList();
    }

    private List<String> events() {
        return recorder.events().stream().map(FakeRecorder.Recorded::text).toList();
    }

    @Test
    void releasedVolume_isEmptiedByAPod_andAvailableAgain() {
        createReleased("20Gi", "'nfs':{'server':'s','path':'/exports'}");
        assertThat(pod().object("spec").number("activeDeadlineSeconds")).isEqualTo(600);
        JsonObject emptied =
                pod().array("spec", "volumes").objects().findFirst().orElseThrow();
        assertThat(emptied.string("nfs", "server") + emptied.string("nfs", "path"))
                .isEqualTo("s/exports");

        podBecomes("{\"phase\":\"Running\"}");
        assertThat(volume().string("status", "phase")).isEqualTo("Released");

        podBecomes("{\"phase\":\"Succeeded\"}");
        assertThat(volume().string("status", "phase")).isEqualTo("Available");
        assertThat(volume().object("spec").has("claimRef")).isFalse();
        assertThat(podNames()).isEmpty();
        assertThat(events()).containsExactly("Normal VolumeRecycled Volume recycled");
    }

    @Test
    void podThatFails_failsTheVolume_andAnotherFollowsAfterADelay() {
        createReleased("1Gi", "'hostPath':{'path':'/data'}");
        assertThat(pod().object("spec").number("activeDeadlineSeconds")).isEqualTo(60);
        podBecomes("{\"phase\":\"Failed\",\"message\":\"disk is broken\"}");
        assertThat(volume().string("status", "phase")).isEqualTo("Failed");
        assertThat(events())
                .containsExactly("Warning VolumeFailedRecycle Failed to recycle volume: failed to recycle volume:"
                        + " disk is broken");
        sync();
        assertThat(podNames()).isEmpty();

        clock.advance(Duration.ofMillis(500));
        sync();
        podBecomes("{\"phase\":\"Succeeded\"}");
        assertThat(volume().string("status", "phase")).isEqualTo("Available");
    }

    @Test
    void podThatIsDeleted_failsTheVolume() {
        createReleased("1Gi", "'hostPath':{'path':'/data'}");
        client.resource(ResourceTypes.PODS).delete(POD, new DeleteOptions(0L, null, null, null));
        sync();
        assertThat(volume().string("status", "message")).endsWith("recycler pod was deleted");
    }

    @Test
    void podOfAnEarlierManager_isDeleted_beforeANewOneStarts() {
        client.resource(Recycler.PODS)
                .create(RecyclerPod.HOST_PATH.of(
                        Volume.of(new GenericObject(
                                "v1",
                                "PersistentVolume",
                                RecyclerPod.DEFAULT_TEMPLATE.metadata(),
                                JsonObject.parse("{\"spec\":{\"hostPath\":{\"path\":\"/old\"}}}")
                                        .toUnknownFields())),
                        POD.name(),
                        "hostPath"));
        createReleased("1Gi", "'hostPath':{'path':'/data'}");
        assertThat(volume().string("status", "message"))
                .isEqualTo("Failed to recycle volume: old recycler pod found, will retry later");
        assertThat(podNames()).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        sync();
        assertThat(podNames()).containsExactly(POD.name());
    }

    @Test
    void volumeInUse_waits() {
        requests.post(
                        "/api/v1/namespaces/default/pods",
                        "{'metadata':{'name':'user'},'spec':{'containers':[{'name':'c','image':'i'}],"
                                + "'volumes':[{'name':'d','persistentVolumeClaim':{'claimName':'gone'}}]}}")
                .ok();
        createReleased("1Gi", "'hostPath':{'path':'/data'}");
        assertThat(podNames()).containsExactly("user");
        assertThat(events()).containsExactly("Normal VolumeFailedRecycle Volume is used by pods: default/user");
    }

    @Test
    void template_needsAVolume() {
        GenericObject empty = RecyclerPod.pod(JsonObject.parse("{\"spec\":{\"containers\":[]}}"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RecyclerPod(empty, 60, 30))
                .withMessageContaining("does not contain any volume(s)");
    }
}
