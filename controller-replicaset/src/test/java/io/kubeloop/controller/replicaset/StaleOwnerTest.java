/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.controller.WriteBarrier;
import io.kubeloop.controller.fake.Fault;
import io.kubeloop.testing.Json;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Status updates and adoptions while the cache shows an old state of the owner or its pods. */
class StaleOwnerTest {

    private static final ObjectName KEY = new ObjectName("prod", "api");

    private final Harness<ReplicaSet> harness =
            new Harness<>(new ReplicaSetKind(), Instant.parse("2026-01-01T00:00:00Z"), 500);

    @SuppressWarnings("unchecked")
    private static Map<String, @Nullable Object> parsed(String json) {
        return (Map<String, @Nullable Object>) Objects.requireNonNull(Json.parse(json));
    }

    private static Map<String, @Nullable Object> owner(String uid, String resourceVersion) {
        return parsed("""
                {"apiVersion":"apps/v1","kind":"ReplicaSet",
                 "metadata":{"name":"api","namespace":"prod","uid":"%s","resourceVersion":"%s","generation":1},
                 "spec":{"replicas":1,"selector":{"matchLabels":{"app":"api"}},
                         "template":{"metadata":{"labels":{"app":"api"}},"spec":{"containers":[{"name":"c"}]}}},
                 "status":{}}""".formatted(uid, resourceVersion));
    }

    private void podAppears() {
        harness.pods.with(Harness.pod(Json.parse("""
                {"apiVersion":"v1","kind":"Pod",
                 "metadata":{"name":"p","namespace":"prod","uid":"p","labels":{"app":"api"},"ownerReferences":[
                   {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"api","uid":"rs","controller":true}]}}""")));
    }

    @Test
    void sync_ownStatusNotInTheCacheYet_isPutOffUntilTheCacheHasIt() {
        podAppears();
        harness.owners.with(harness.owner(owner("rs", "1")));
        harness.owners.observed("0");
        harness.sync.syncReplicaSet(KEY);
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.server.actions("update", "replicasets")).hasSize(1);
        assertThat(harness.stale).containsExactly(ResourceTypes.REPLICA_SETS);
        harness.queue.takeAdded();

        harness.owners.observed("1");
        assertThat(harness.queue.takeAdded()).containsExactly("prod/api");
    }

    @Test
    void sync_createdPodNotInTheCacheYet_countsAsStale() {
        harness.owners.with(harness.owner(owner("rs", "1")));
        harness.pods.observed("1000");
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.stale).isEmpty();
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.stale).containsExactly(ResourceTypes.PODS);
        assertThat(harness.server.actions("create", "pods")).hasSize(1);
    }

    @Test
    void sync_cacheHasMovedOn_isTrusted() {
        podAppears();
        harness.owners.with(harness.owner(owner("rs", "1")));
        harness.sync.syncReplicaSet(KEY);
        harness.owners.with(harness.owner(owner("rs", "5")));
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.server.actions("update", "replicasets"))
                .as("somebody has emptied the status")
                .hasSize(2);
    }

    @Test
    void sync_conflictAndAnotherHasTheName_statusIsNotWrittenIntoIt() {
        podAppears();
        harness.owners.with(harness.owner(owner("rs", "1")));
        harness.server
                .with("replicasets", owner("another", "9"))
                .with(new Fault(
                        "update",
                        "replicasets",
                        "status",
                        "",
                        409,
                        "Conflict",
                        "stale",
                        "",
                        1,
                        Integer.MAX_VALUE,
                        null));
        assertThatThrownBy(() -> harness.sync.syncReplicaSet(KEY)).hasMessageContaining("stale");
        assertThat(harness.server.actions("update", "replicasets")).hasSize(1);
    }

    private static Map<String, @Nullable Object> orphan(String resourceVersion) {
        return parsed("""
                {"apiVersion":"v1","kind":"Pod",
                 "metadata":{"name":"p","namespace":"prod","uid":"p","resourceVersion":"%s","labels":{"app":"api"}}\
                }""".formatted(resourceVersion));
    }

    /** What the server answers to the adoption. */
    private static Map<String, @Nullable Object> adopted(String resourceVersion) {
        return parsed("""
                {"apiVersion":"v1","kind":"Pod",
                 "metadata":{"name":"p","namespace":"prod","uid":"p","resourceVersion":"%s","labels":{"app":"api"},
                   "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"api","uid":"rs",\
                "controller":true}]}}""".formatted(resourceVersion));
    }

    @Test
    void sync_adoptionNotInTheCacheYet_isNotPatchedAgain() {
        harness.owners.with(harness.owner(owner("rs", "1")));
        harness.server.with("replicasets", owner("rs", "1")).with("pods", adopted("8"));
        harness.pods.with(Harness.pod(orphan("7"))).observed("7");
        harness.sync.syncReplicaSet(KEY);
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.server.actions("patch", "pods")).hasSize(1);
        assertThat(harness.server.actions("create", "pods")).as("it counts").isEmpty();
    }

    @Test
    void sync_orphanedAgainAfterItsAdoption_isAdoptedAgain() {
        harness.owners.with(harness.owner(owner("rs", "1")));
        harness.server.with("replicasets", owner("rs", "1")).with("pods", adopted("8"));
        harness.pods.with(Harness.pod(orphan("7"))).observed("7");
        harness.sync.syncReplicaSet(KEY);
        harness.pods.with(Harness.pod(orphan("9"))).observed("9");
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.server.actions("patch", "pods")).hasSize(2);
    }

    @Test
    void sync_adoptionNotShownForAMinute_podsAreReadFromTheServer() {
        harness.owners.with(harness.owner(owner("rs", "1")));
        harness.server.with("replicasets", owner("rs", "1")).with("pods", adopted("8"));
        harness.pods.with(Harness.pod(orphan("7"))).observed("7");
        harness.sync.syncReplicaSet(KEY);
        harness.clock.advance(WriteBarrier.PATIENCE);
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.server.actions("list", "pods")).hasSize(1);
        assertThat(harness.server.actions("patch", "pods")).hasSize(1);
    }
}
