/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.volume.persistentvolume;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.controller.fake.FakeMetrics;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The series that kube-controller-manager 1.37.2 has for these objects. */
class BoundCountsTest {

    private final FakeMetrics metrics = new FakeMetrics();
    private final BoundCounts counts = new BoundCounts(metrics);

    private static <T extends KubeObject> T object(ResourceType<T> type, String json) {
        return JsonCodec.standard()
                .decode(type, new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    private void putVolume(String name, String phase, String spec) {
        counts.put(object(
                ResourceTypes.PERSISTENT_VOLUMES,
                "{'metadata':{'name':'" + name + "'},'spec':{'storageClassName':'slow'," + spec
                        + "},'status':{'phase':'" + phase + "'}}"));
    }

    @Test
    void volumes_areCountedByPluginAndByClass() {
        putVolume("a", "Available", "'hostPath':{'path':'/x'}");
        putVolume("b", "Bound", "'nfs':{'path':'/x','server':'s'}");
        putVolume("c", "Released", "'csi':{'driver':'d'},'volumeMode':'Block'");

        assertThat(metrics.values())
                .isEqualTo(Map.of(
                        "pv_collector_total_pv_count[kubernetes.io/host-path, Filesystem]", 1.0,
                        "pv_collector_total_pv_count[kubernetes.io/nfs, Filesystem]", 1.0,
                        "pv_collector_total_pv_count[N/A, Block]", 1.0,
                        "pv_collector_bound_pv_count[slow]", 1.0,
                        "pv_collector_unbound_pv_count[slow]", 2.0));
    }

    @Test
    void claim_thatIsBoundAndDeleted_movesAndGoes() {
        String claim = "{'metadata':{'name':'c','namespace':'n'},'spec':{'storageClassName':'s'},'status':{'phase':'";
        counts.put(object(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claim + "Pending'}}"));
        assertThat(metrics.values()).isEqualTo(Map.of("pv_collector_unbound_pvc_count[n, s, ]", 1.0));

        counts.put(object(ResourceTypes.PERSISTENT_VOLUME_CLAIMS, claim + "Bound'}}"));
        assertThat(metrics.values()).isEqualTo(Map.of("pv_collector_bound_pvc_count[n, s, ]", 1.0));

        counts.remove(new ObjectName("n", "c"));
        assertThat(metrics.values()).isEmpty();
    }
}
