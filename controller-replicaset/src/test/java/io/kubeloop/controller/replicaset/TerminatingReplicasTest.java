/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.apps.ReplicaSetStatus;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.fake.Action;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** KEP-3973: the status has the number of terminating pods. */
class TerminatingReplicasTest {

    private static final ObjectName KEY = new ObjectName("prod", "api");
    private static final String OURS = """
            {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"api","uid":"rs","controller":true}""";

    private static Harness<ReplicaSet> harness() {
        Harness<ReplicaSet> harness = new Harness<>(new ReplicaSetKind(), Instant.parse("2026-01-01T00:00:00Z"), 500);
        harness.owners.with(harness.owner(Json.parse("""
                {"apiVersion":"apps/v1","kind":"ReplicaSet",
                 "metadata":{"name":"api","namespace":"prod","uid":"rs","resourceVersion":"1","generation":1},
                 "spec":{"replicas":1,"selector":{"matchLabels":{"app":"api"}},
                         "template":{"metadata":{"labels":{"app":"api"}},"spec":{"containers":[{"name":"c"}]}}},
                 "status":{"replicas":1,"fullyLabeledReplicas":1,"terminatingReplicas":7,"observedGeneration":1}}""")));
        harness.pods.with(pod("active", "api", "Running", false, OURS));
        return harness;
    }

    private static Pod pod(String name, String label, String phase, boolean deleting, String owner) {
        return Harness.pod(Json.parse("""
                {"apiVersion":"v1","kind":"Pod",
                 "metadata":{"name":"%s","namespace":"prod","uid":"%s","labels":{"app":"%s"},%s"ownerReferences":[%s]},
                 "status":{"phase":"%s"}}""".formatted(
                name, name, label, deleting ? "\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"," : "", owner, phase)));
    }

    private static ReplicaSetStatus written(Harness<ReplicaSet> harness) {
        harness.sync.syncReplicaSet(KEY);
        List<Action> updates = harness.server.actions("update", "replicasets");
        assertThat(updates).hasSize(1);
        byte[] json =
                Json.write(Objects.requireNonNull(updates.get(0).object())).getBytes(StandardCharsets.UTF_8);
        return JsonCodec.standard()
                .decode(ResourceTypes.REPLICA_SETS, new ByteArrayInputStream(json))
                .status();
    }

    @Test
    void sync_counted_onlyOwnPodsThatMatchAndHaveNotEnded() {
        Harness<ReplicaSet> harness = harness();
        harness.pods.with(pod("leaving", "api", "Running", true, OURS));
        harness.pods.with(pod("ended", "api", "Succeeded", true, OURS));
        harness.pods.with(pod("relabelled", "other", "Running", true, OURS));
        harness.pods.with(pod("orphan", "api", "Running", true, ""));
        harness.pods.with(pod("stranger", "api", "Running", true, OURS.replace("\"rs\"", "\"another\"")));
        ReplicaSetStatus status = written(harness);
        assertThat(status.terminatingReplicas()).isEqualTo(1);
        assertThat(status.replicas()).isEqualTo(1);
    }

    @Test
    void sync_countedAndNoneLeaves_saysZero() {
        assertThat(written(harness()).terminatingReplicas()).isZero();
    }
}
