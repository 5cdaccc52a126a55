/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.DeletedFinalStateUnknown;
import io.kubeloop.controller.fake.Fault;
import io.kubeloop.testing.Json;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** An owner whose pods are all refused: its events wait, and do not ask for the same again at once. */
class CreateFailureBackoffTest {

    private static final ObjectName KEY = new ObjectName("prod", "api");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final Harness<ReplicaSet> harness = new Harness<>(new ReplicaSetKind(), START, 500, Duration.ofSeconds(30));

    private static ReplicaSet owner(Harness<ReplicaSet> harness, String resourceVersion) {
        return harness.owner(Json.parse("""
                {"apiVersion":"apps/v1","kind":"ReplicaSet",
                 "metadata":{"name":"api","namespace":"prod","uid":"rs","resourceVersion":"%s","generation":1},
                 "spec":{"replicas":3,"selector":{"matchLabels":{"app":"api"}},
                         "template":{"metadata":{"labels":{"app":"api"}},"spec":{"containers":[{"name":"c"}]}}},
                 "status":{}}""".formatted(resourceVersion)));
    }

    private static Pod pod(String resourceVersion) {
        return Harness.pod(Json.parse("""
                {"apiVersion":"v1","kind":"Pod",
                 "metadata":{"name":"p","namespace":"prod","uid":"p","resourceVersion":"%s","labels":{"app":"api"},
                   "ownerReferences":[
                   {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"api","uid":"rs","controller":true}]}\
                }""".formatted(resourceVersion)));
    }

    private static void refuse(Harness<ReplicaSet> harness, int firstCall, int lastCall) {
        harness.owners.with(owner(harness, "1"));
        harness.server.with(
                new Fault("create", "pods", "", "", 403, "Forbidden", "over quota", "", firstCall, lastCall, null));
        assertThatThrownBy(() -> harness.sync.syncReplicaSet(KEY)).hasMessageContaining("over quota");
        harness.queue.takeAdded();
    }

    @Test
    void events_afterEverythingWasRefused_waitForTheRestOfTheInterval() {
        refuse(harness, 1, Integer.MAX_VALUE);
        harness.clock.advance(Duration.ofSeconds(10));

        harness.handlers.updatePod(pod("1"), pod("2"));
        harness.handlers.updateRS(owner(harness, "1"), owner(harness, "2"));
        assertThat(harness.queue.takeAdded()).containsExactly("prod/api after 20s", "prod/api after 20s");

        harness.clock.advance(Duration.ofSeconds(20));
        harness.handlers.updatePod(pod("2"), pod("3"));
        assertThat(harness.queue.takeAdded()).containsExactly("prod/api");
    }

    @Test
    void events_ofOwnersThatComeAndGo_doNotWait() {
        refuse(harness, 1, Integer.MAX_VALUE);

        harness.handlers.addRS(owner(harness, "2"));
        harness.handlers.deleteRS(new DeletedFinalStateUnknown<>(KEY, owner(harness, "2")));
        assertThat(harness.queue.takeAdded()).containsExactly("prod/api", "prod/api");
    }

    @Test
    void events_afterSomePodsWereMade_doNotWait() {
        refuse(harness, 2, Integer.MAX_VALUE);

        harness.handlers.updatePod(pod("1"), pod("2"));
        assertThat(harness.queue.takeAdded()).containsExactly("prod/api");
    }

    @Test
    void events_afterASuccess_doNotWait() {
        refuse(harness, 1, 1);
        harness.sync.syncReplicaSet(KEY);
        harness.queue.takeAdded();

        harness.handlers.updatePod(pod("1"), pod("2"));
        assertThat(harness.queue.takeAdded()).containsExactly("prod/api");
    }

    @Test
    void events_withoutInterval_doNotWait() {
        Harness<ReplicaSet> upstream = new Harness<>(new ReplicaSetKind(), START, 500);
        refuse(upstream, 1, Integer.MAX_VALUE);

        upstream.handlers.updatePod(pod("1"), pod("2"));
        assertThat(upstream.queue.takeAdded()).containsExactly("prod/api");
    }
}
