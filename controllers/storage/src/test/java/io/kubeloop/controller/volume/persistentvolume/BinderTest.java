/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.client.ListOptions;
import io.kubeloop.api.core.PersistentVolumeClaim;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.ControllerMetrics;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.testing.ManualClock;
import io.kubeloop.testing.SeededRuns;
import io.kubeloop.transport.memory.EmbeddedApiServer;
import io.kubeloop.transport.memory.Requests;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Syncs of claims and volumes on a server, with caches that the test fills. */
class BinderTest {

    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static final String MERGE = "application/merge-patch+json";

    private final EmbeddedApiServer server = EmbeddedApiServer.builder().build();
    private final Requests requests = new Requests(server.transport());
    private final KubeClient client = KubeClient.of(server.transport(), JsonCodec.standard());
    private final FakeLister<PersistentVolumeClaim> claims = new FakeLister<>();
    private final FakeLister<GenericObject> volumes = new FakeLister<>();
    private final FakeLister<GenericObject> classes = new FakeLister<>();
    private final FakeLister<Pod> pods = new FakeLister<>();
    private final FakeRecorder recorder = new FakeRecorder();
    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final WriteBarrier barrier = new WriteBarrier(clock, worker -> {})
            .follow(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claims)
            .follow(ResourceTypes.PERSISTENT_VOLUMES, volumes)
            .follow(ResourceTypes.PODS, pods);
    private final Binding binding = new Binding(claims, volumes, client, recorder, barrier);
    private final StorageClasses storageClasses = new StorageClasses(classes);
    private final ClaimSync claimSync = new ClaimSync(
            binding, storageClasses, new Provisioning(binding, storageClasses, true), pods, ControllerMetrics.NONE);
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
            claimSync::sync);

    @AfterEach
    void close() {
        server.close();
    }

    private void createClaim(String name, String size, String more) {
        requests.post(
                        CLAIMS,
                        "{'metadata':{'name':'" + name
                                + "'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'"
                                + size + "'}}" + more + "}}")
                .ok();
    }

    private void createVolume(String name, String size, String more) {
        requests.post(
                        VOLUMES,
                        "{'metadata':{'name':'" + name + "'},'spec':{'capacity':{'storage':'" + size
                                + "'},'accessModes':['ReadWriteOnce'],'csi':{'driver':'d','volumeHandle':'" + name
                                + "'}" + more
                                + "}}")
                .ok();
    }

    /** Shows the caches everything that the server has. */
    private void refresh() {
        claims.list().forEach(claim -> claims.remove(claim.objectName()));
        volumes.list().forEach(volume -> volumes.remove(volume.objectName()));
        client.resource(ResourceTypes.PERSISTENT_VOLUME_CLAIMS)
                .list("", ListOptions.NONE)
                .items()
                .forEach(claims::with);
        client.resource(ResourceTypes.PERSISTENT_VOLUMES)
                .list("", ListOptions.NONE)
                .items()
                .forEach(volumes::with);
        client.resource(StorageClasses.TYPE).list("", ListOptions.NONE).items().forEach(classes::with);
    }

    private void syncAll() {
        refresh();
        volumes.list().forEach(volume -> {
            volumeSync.sync(volume.metadata().name());
            refresh();
        });
        claims.list().forEach(claim -> {
            claimSync.sync(claim.objectName());
            refresh();
        });
    }

    private JsonObject claim(String name) {
        return requests.get(CLAIMS + "/" + name).body();
    }

    private JsonObject volume(String name) {
        return requests.get(VOLUMES + "/" + name).body();
    }

    private String boundTo(String claim) {
        return claim(claim).string("status", "phase") + " " + claim(claim).string("spec", "volumeName");
    }

    private List<String> events() {
        return recorder.events().stream().map(FakeRecorder.Recorded::text).toList();
    }

    @Test
    void claim_getsTheSmallestVolumeThatIsLargeEnough_inFourWrites() {
        createVolume("big", "10Gi", "");
        createVolume("fit", "5Gi", "");
        createVolume("small", "1Gi", "");
        createClaim("c", "3Gi", ",'storageClassName':''");

        syncAll();

        assertThat(boundTo("c")).isEqualTo("Bound fit");
        assertThat(claim("c").string("status", "capacity", "storage")).isEqualTo("5Gi");
        assertThat(claim("c").object("metadata", "annotations").strings())
                .containsEntry(Claim.BIND_COMPLETED, "yes")
                .containsEntry(Claim.BOUND_BY_CONTROLLER, "yes");
        assertThat(volume("fit").string("status", "phase")).isEqualTo("Bound");
        assertThat(volume("fit").string("spec", "claimRef", "uid"))
                .isEqualTo(claim("c").string("metadata", "uid"));
        assertThat(volume("big").string("status", "phase")).isEqualTo("Available");
    }

    @Test
    void bindingThatStoppedHalfway_isCompleted() {
        createVolume("v", "1Gi", "");
        createClaim("c", "1Gi", ",'storageClassName':''");
        refresh();
        volumeSync.sync("v");
        String uid = claim("c").string("metadata", "uid");
        requests.send(
                        "PATCH",
                        VOLUMES + "/v",
                        MERGE,
                        "{'spec':{'claimRef':{'kind':'PersistentVolumeClaim','apiVersion':'v1','namespace':'default',"
                                + "'name':'c','uid':'"
                                + uid + "'}}}")
                .ok();

        syncAll();

        assertThat(boundTo("c")).isEqualTo("Bound v");
        assertThat(volume("v").string("status", "phase")).isEqualTo("Bound");
    }

    @Test
    void claimThatNamesAVolume_isToldWhyItDoesNotFit() {
        createVolume("v", "1Gi", "");
        createClaim("c", "2Gi", ",'storageClassName':'','volumeName':'v'");

        syncAll();

        assertThat(boundTo("c")).isEqualTo("Pending v");
        assertThat(events())
                .containsExactly(
                        "Warning VolumeMismatch Cannot bind to requested volume \"v\": requested PV is too small");
    }

    @Test
    void releasedVolume_isRetained_orFails_orIsLeftToItsProvisioner() {
        Map<String, String> sources =
                Map.of("nfs", ",'csi':null,'nfs':{'server':'s','path':'/p'}", "fc", ",'csi':null,'fc':{'wwids':['w']}");
        for (String name : List.of("retain", "csi", "nfs", "fc")) {
            String source = sources.getOrDefault(name, "");
            String policy = name.equals("retain") ? "Retain" : "Delete";
            createVolume(
                    name,
                    "1Gi",
                    source + ",'persistentVolumeReclaimPolicy':'" + policy + "','claimRef':{'namespace':'default',"
                            + "'name':'gone','uid':'u'}");
        }

        syncAll();

        assertThat(volume("retain").string("status", "phase")).isEqualTo("Released");
        assertThat(volume("csi").string("status", "phase")).isEqualTo("Released");
        assertThat(volume("nfs").string("status", "phase")).isEqualTo("Failed");
        assertThat(events())
                .containsExactlyInAnyOrder(
                        "Warning VolumeFailedDelete error getting deleter volume plugin for volume \"nfs\": "
                                + "no deletable volume plugin matched",
                        "Warning VolumeFailedDelete error getting deleter volume plugin for volume \"fc\": "
                                + "no volume plugin matched");
    }

    @Test
    void claimWithoutAClass_getsTheNewestDefault_andIsProvisioned() {
        requests.post(
                        "/apis/storage.k8s.io/v1/storageclasses",
                        "{'metadata':{'name':'fast',"
                                + "'annotations':{'storageclass.kubernetes.io/is-default-class':'true'}},"
                                + "'provisioner':'csi.example.com'}")
                .ok();
        requests.send("PATCH", "/apis/storage.k8s.io/v1/storageclasses/fast", MERGE, "{}")
                .ok();
        createClaim("late", "1Gi", "");
        refresh();
        claimSync.sync(new ObjectName("default", "late"));
        refresh();
        claimSync.sync(new ObjectName("default", "late"));

        assertThat(claim("late").string("spec", "storageClassName")).isEqualTo("fast");
        assertThat(claim("late").object("metadata", "annotations").strings())
                .containsEntry("volume.kubernetes.io/storage-provisioner", "csi.example.com");
        assertThat(events()).anyMatch(event -> event.startsWith("Normal ExternalProvisioning Waiting for a volume"));
    }

    @Test
    void lostVolume_isReportedOnce() {
        createVolume("v", "1Gi", "");
        createClaim("c", "1Gi", ",'storageClassName':''");
        syncAll();
        requests.send("PATCH", VOLUMES + "/v", MERGE, "{'metadata':{'finalizers':null}}")
                .ok();
        requests.delete(VOLUMES + "/v").ok();

        syncAll();
        syncAll();

        assertThat(boundTo("c")).isEqualTo("Lost v");
        assertThat(events())
                .containsExactly(
                        "Warning ClaimLost Bound claim has lost its PersistentVolume. Data on the volume is lost!");
    }

    /** Whatever the caches miss: no claim is bound to two volumes, and no volume to two claims. */
    @Test
    @Tag("stress")
    void bindings_areOneToOne_whateverTheCachesMiss() {
        SeededRuns.each(
                seed -> new Run(new BinderTest(), new Random(seed)),
                run -> run.world().simulate(run.random()));
    }

    /** A run on a server of its own. */
    private record Run(BinderTest world, Random random) implements AutoCloseable {

        @Override
        public void close() {
            world.close();
        }
    }

    private void simulate(Random random) {
        String prefix = "s";
        String type = ",'storageClassName':'s'";
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            createVolume(prefix + "-v" + i, 1 + random.nextInt(3) + "Gi", type);
            names.add(prefix + "-c" + i);
            createClaim(prefix + "-c" + i, 1 + random.nextInt(3) + "Gi", type);
        }
        for (int step = 0; step < 30; step++) {
            int choice = random.nextInt(6);
            try {
                if (choice == 0) {
                    refresh();
                } else if (choice == 1) {
                    String name = names.get(random.nextInt(names.size()));
                    requests.send("PATCH", CLAIMS + "/" + name, MERGE, "{'metadata':{'finalizers':null}}");
                    requests.delete(CLAIMS + "/" + name);
                } else if (choice == 2) {
                    volumeSync.sync(prefix + "-v" + random.nextInt(4));
                } else {
                    claimSync.sync(new ObjectName("default", names.get(random.nextInt(names.size()))));
                }
            } catch (RuntimeException e) {
                // A conflict with a version that the cache misses: the queue would bring the item back.
                assertThat(e.getMessage()).containsAnyOf("409", "404", "Conflict", "invalid binding");
            }
            check(prefix);
        }
    }

    private void check(String prefix) {
        Map<String, String> claimOf = new HashMap<>();
        requests.get(VOLUMES)
                .body()
                .array("items")
                .objects()
                .filter(volume -> volume.string("metadata", "name").startsWith(prefix + "-"))
                .filter(volume -> !volume.string("spec", "claimRef", "uid").isEmpty())
                .forEach(volume -> assertThat(claimOf.put(
                                volume.string("spec", "claimRef", "uid"), volume.string("metadata", "name")))
                        .as("another volume of the claim")
                        .isNull());
        requests.get(CLAIMS)
                .body()
                .array("items")
                .objects()
                .filter(claim -> claim.string("metadata", "name").startsWith(prefix + "-"))
                .filter(claim -> claim.string("status", "phase").equals("Bound"))
                .forEach(claim -> assertThat(claim.string("spec", "volumeName"))
                        .isEqualTo(claimOf.get(claim.string("metadata", "uid"))));
    }
}
