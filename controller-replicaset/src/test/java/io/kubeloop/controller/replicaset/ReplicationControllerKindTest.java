/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.core.Pod;
import io.kubeloop.api.core.ReplicationController;
import io.kubeloop.controller.fake.Action;
import io.kubeloop.testing.Json;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What differs when the owner is a ReplicationController; all else is the ReplicaSets' vectors. */
class ReplicationControllerKindTest {

    private static final ObjectName KEY = new ObjectName("prod", "old");

    private final Harness<ReplicationController> harness =
            new Harness<>(new ReplicationControllerKind(), Instant.parse("2026-01-01T00:00:00Z"), 500);

    private void store(String selector) {
        Object json = Json.parse("""
                {"apiVersion":"v1","kind":"ReplicationController",
                 "metadata":{"name":"old","namespace":"prod","uid":"rc-1","resourceVersion":"7","generation":2,
                             "managedFields":[{"manager":"kubectl"}]},
                 "spec":{"replicas":1,"selector":%s,"future":9007199254740993,
                         "template":{"metadata":{"labels":{"app":"old"}},"spec":{"containers":[{"name":"c"}]}}},
                 "status":{"replicas":5,"later":true}}""".formatted(selector));
        harness.owners.with(harness.owner(json));
    }

    @Test
    void sync_podMissing_createsOneOwnedByTheReplicationController() {
        store("{\"app\":\"old\"}");
        harness.sync.syncReplicaSet(KEY);

        List<Action> creates = harness.server.actions("create", "pods");
        assertThat(creates).hasSize(1);
        Pod pod = Harness.pod(creates.get(0).object());
        assertThat(pod.metadata().generateName()).isEqualTo("old-");
        assertThat(pod.metadata().controller())
                .satisfies(owner -> assertThat(owner.apiVersion()).isEqualTo("v1"))
                .satisfies(owner -> assertThat(owner.kind()).isEqualTo("ReplicationController"))
                .satisfies(owner -> assertThat(owner.uid()).isEqualTo("rc-1"));
        assertThat(harness.recorder.events().get(0).regarding().kind()).isEqualTo("ReplicationController");
    }

    @Test
    void sync_statusDiffers_writesItAndKeepsEveryUnknownField() {
        store("{\"app\":\"old\"}");
        harness.sync.syncReplicaSet(KEY);

        Action update =
                harness.server.actions("update", "replicationcontrollers").get(0);
        assertThat(update.subresource()).isEqualTo("status");
        assertThat((Map<?, ?>) update.object().get("status"))
                .as("I11")
                .isEqualTo(Map.of("observedGeneration", BigDecimal.valueOf(2), "later", true));
        assertThat(update.body()).as("I11").contains("9007199254740993").contains("\"manager\":\"kubectl\"");
    }

    @Test
    void sync_emptySelector_selectsNothing() {
        store("{}");
        harness.pods.with(Harness.pod(Json.parse("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"orphan","namespace":"prod","uid":"p",
                 "labels":{"app":"old"}}}""")));
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.server.actions("patch", "pods")).isEmpty();
    }
}
