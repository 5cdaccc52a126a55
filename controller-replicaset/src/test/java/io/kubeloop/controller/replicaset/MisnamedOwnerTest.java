/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.testing.Json;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pods whose controller reference has the owner's UID, but another name or kind; only users write such references. */
class MisnamedOwnerTest {

    private static final ObjectName KEY = new ObjectName("prod", "api");

    private static Harness<ReplicaSet> harness(String kind, String name, String label) {
        Harness<ReplicaSet> harness = new Harness<>(new ReplicaSetKind(), Instant.parse("2026-01-01T00:00:00Z"), 500);
        harness.owners.with(harness.owner(Json.parse("""
                {"apiVersion":"apps/v1","kind":"ReplicaSet",
                 "metadata":{"name":"api","namespace":"prod","uid":"rs","resourceVersion":"1","generation":1},
                 "spec":{"replicas":1,"selector":{"matchLabels":{"app":"api"}},
                         "template":{"metadata":{"labels":{"app":"api"}},"spec":{"containers":[{"name":"c"}]}}}}""")));
        harness.pods.with(Harness.pod(Json.parse("""
                {"apiVersion":"v1","kind":"Pod",
                 "metadata":{"name":"p","namespace":"prod","uid":"p","labels":{"app":"%s"},"ownerReferences":[
                   {"apiVersion":"apps/v1","kind":"%s","name":"%s","uid":"rs","controller":true}]},
                 "status":{"phase":"Running"}}""".formatted(label, kind, name))));
        return harness;
    }

    @ParameterizedTest
    @CsvSource({"ReplicaSet, other, 1", "Job, api, 1", "ReplicaSet, api, 0"})
    void sync_podOfThatUid_countsOnlyByNameAndKindToo(String kind, String name, int created) {
        Harness<ReplicaSet> harness = harness(kind, name, "api");
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.server.actions("create", "pods")).hasSize(created);
    }

    @ParameterizedTest
    @CsvSource({"ReplicaSet, other, 0", "Job, api, 0", "ReplicaSet, api, 1"})
    void sync_podOfThatUidThatMatchesNoMore_releasedOnlyByNameAndKindToo(String kind, String name, int released) {
        Harness<ReplicaSet> harness = harness(kind, name, "else");
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.server.actions("patch", "pods")).hasSize(released);
    }
}
