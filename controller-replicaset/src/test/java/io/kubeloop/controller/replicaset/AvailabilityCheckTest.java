/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.testing.Json;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod becomes available by the passage of time, without an event, whatever happens to its siblings. */
class AvailabilityCheckTest {

    private static final ObjectName KEY = new ObjectName("prod", "api");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int MIN_READY_SECONDS = 30;

    private final Harness<ReplicaSet> harness = new Harness<>(new ReplicaSetKind(), NOW, 500);

    @BeforeEach
    void threeWanted() {
        harness.owners.with(harness.owner(Json.parse("""
                {"apiVersion":"apps/v1","kind":"ReplicaSet",
                 "metadata":{"name":"api","namespace":"prod","uid":"rs","resourceVersion":"1"},
                 "spec":{"replicas":3,"minReadySeconds":%d,"selector":{"matchLabels":{"app":"api"}},
                         "template":{"metadata":{"labels":{"app":"api"}},"spec":{"containers":[{"name":"c"}]}}},
                 "status":{}}""".formatted(MIN_READY_SECONDS))));
    }

    private void pod(String name, String ready, Duration since) {
        harness.pods.with(Harness.pod(Json.parse("""
                {"apiVersion":"v1","kind":"Pod",
                 "metadata":{"name":"%s","namespace":"prod","uid":"%s","resourceVersion":"1","labels":{"app":"api"},
                             "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"api","uid":"rs",
                                                 "controller":true}]},
                 "spec":{"nodeName":"n"},
                 "status":{"phase":"Running",
                           "conditions":[{"type":"Ready","status":"%s","lastTransitionTime":"%s"}]}\
                }""".formatted(name, name, ready, NOW.minus(since)))));
    }

    @Test
    void sync_oneIsReadyAndAnotherIsNot_comesBackWhenTheFirstIsAvailable() {
        pod("a", "True", Duration.ofSeconds(5));
        pod("b", "True", Duration.ofSeconds(60));
        pod("c", "False", Duration.ofSeconds(5));
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.queue.takeAdded())
                .as("upstream: until v1.33 never, though no event comes")
                .containsExactly("prod/api after 25s");
    }

    @Test
    void sync_readyOneAfterTheOther_comesBackForTheNext() {
        pod("a", "True", Duration.ofSeconds(31));
        pod("b", "True", Duration.ofSeconds(20));
        pod("c", "True", Duration.ofSeconds(10));
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.queue.takeAdded())
                .as("the queue keeps the earliest; upstream: until v1.33 only after the whole minimum")
                .contains("prod/api after 10s");
    }

    @Test
    void sync_atTheMomentOfTheCheck_isAvailable() {
        pod("a", "True", Duration.ofSeconds(5));
        harness.clock.advance(Duration.ofSeconds(25).plusMillis(1));
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.server.actions("update", "replicasets"))
                .singleElement()
                .satisfies(update -> assertThat(update.body()).contains("\"availableReplicas\":1"));
        assertThat(harness.queue.takeAdded()).isEmpty();
    }

    @Test
    void sync_noneIsReady_doesNotComeBack() {
        pod("a", "False", Duration.ofSeconds(5));
        pod("b", "Unknown", Duration.ofSeconds(5));
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.queue.takeAdded()).isEmpty();
    }
}
