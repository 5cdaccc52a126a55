/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.controller.ControlleeExpectations;
import io.kubeloop.controller.ControllerExpectations;
import io.kubeloop.testing.Json;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An event that never arrives causes one list from the server; the expectations stay. */
class ExpiredExpectationsTest {

    private static final ObjectName KEY = new ObjectName("prod", "api");
    private static final Duration TOO_LONG = ControllerExpectations.TIMEOUT.plusSeconds(1);

    private final Harness<ReplicaSet> harness =
            new Harness<>(new ReplicaSetKind(), Instant.parse("2026-01-01T00:00:00Z"), 500);

    @BeforeEach
    void nothingWantedNothingThere() {
        harness.owners.with(harness.owner(Json.parse("""
                {"apiVersion":"apps/v1","kind":"ReplicaSet",
                 "metadata":{"name":"api","namespace":"prod","uid":"rs","resourceVersion":"1"},
                 "spec":{"replicas":0,"selector":{"matchLabels":{"app":"api"}},
                         "template":{"metadata":{"labels":{"app":"api"}},"spec":{"containers":[{"name":"c"}]}}},
                 "status":{}}""")));
    }

    @Test
    void sync_expiredAndNothingToDo_asksOnceAndKeepsWhatWasExpected() {
        harness.expectations.expectCreations(KEY, 3);
        ControlleeExpectations expected = harness.expectations.get(KEY);
        harness.clock.advance(TOO_LONG);
        harness.sync.syncReplicaSet(KEY);
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.server.actions("list", "pods")).hasSize(1);
        assertThat(harness.expectations.get(KEY)).as("as upstream has it").isEqualTo(expected);
    }

    @Test
    void sync_expiredAgain_asksAgain() {
        harness.expectations.expectCreations(KEY, 3);
        harness.clock.advance(TOO_LONG);
        harness.sync.syncReplicaSet(KEY);
        harness.expectations.expectCreations(KEY, 3);
        harness.clock.advance(TOO_LONG);
        harness.sync.syncReplicaSet(KEY);
        assertThat(harness.server.actions("list", "pods")).hasSize(2);
    }
}
