/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.fake.FakeLister;
import io.kubeloop.controller.pods.PodCache;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.ManualClock;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeletionOrderTest {

    private static Pod pod(String time, String ready) {
        String json = """
                {"metadata":{"name":"p","namespace":"default","creationTimestamp":"2026-01-01T%s:00Z"},
                 "status":{"conditions":[{"type":"Ready","status":"%s"}]}}""".formatted(time, ready);
        return JsonCodec.standard()
                .decode(ResourceTypes.PODS, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    private static DeletionOrder<ReplicaSet> order(List<Double> ratios) {
        return new DeletionOrder<>(
                new ReplicaSetSync.Caches<>(new ReplicaSetKind(), new FakeLister<>(), PodCache.of(new FakeLister<>())),
                (metric, value, labels) -> ratios.add(value),
                new ManualClock(Instant.parse("2026-01-01T01:00:00Z")));
    }

    @Test
    void recordAges_deletedReadyPods_ageInMultiplesOfTheYoungestReadyPod() {
        List<Double> ratios = new ArrayList<>();
        DeletionOrder<ReplicaSet> order = order(ratios);

        order.recordAges(
                List.of(pod("00:59", "False"), pod("00:50", "True"), pod("00:35", "True"), pod("00:00", "True")), 3);

        assertThat(ratios).containsExactly(1.0, 2.0);
    }

    @Test
    void recordAges_noReadyPod_recordsNothing() {
        List<Double> ratios = new ArrayList<>();
        DeletionOrder<ReplicaSet> order = order(ratios);

        order.recordAges(List.of(pod("00:59", "False"), pod("00:50", "False")), 1);

        assertThat(ratios).isEmpty();
    }
}
