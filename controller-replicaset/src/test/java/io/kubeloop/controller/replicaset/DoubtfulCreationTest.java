/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.controller.fake.Fault;
import io.kubeloop.testing.Json;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Creations that failed: if the error leaves open whether the pod exists, the pods are listed from the server. */
class DoubtfulCreationTest {

    private static final ObjectName KEY = new ObjectName("prod", "api");

    private final Harness<ReplicaSet> harness =
            new Harness<>(new ReplicaSetKind(), Instant.parse("2026-01-01T00:00:00Z"), 500);

    @ParameterizedTest
    @CsvSource(textBlock = """
            # code | reason        | message                                                              | asked
            500    | InternalError | etcd does not answer                                                 | 1
            500    | ServerTimeout | The create operation against pods could not be completed at this time| 1
            504    | Timeout       | request did not complete within 34s                                  | 1
            500    | ServerTimeout | The POST operation against Pod could not be completed at this time   | 0
            409    | AlreadyExists | pods "api-x" already exists                                          | 0
            403    | Forbidden     | exceeded quota                                                       | 0
            """, delimiter = '|')
    void sync_afterACreationThatFailed_asksTheServerOnlyInDoubt(int code, String reason, String message, int asked) {
        harness.owners.with(harness.owner(Json.parse("""
                {"apiVersion":"apps/v1","kind":"ReplicaSet",
                 "metadata":{"name":"api","namespace":"prod","uid":"rs","resourceVersion":"1","generation":1},
                 "spec":{"replicas":1,"selector":{"matchLabels":{"app":"api"}},
                         "template":{"metadata":{"labels":{"app":"api"}},"spec":{"containers":[{"name":"c"}]}}},
                 "status":{}}""")));
        harness.server.with(new Fault("create", "pods", "", "", code, reason, message, "", 1, 1, null));
        assertThatThrownBy(() -> harness.sync.syncReplicaSet(KEY)).hasMessageContaining(message);

        harness.sync.syncReplicaSet(KEY);

        assertThat(harness.server.actions("list", "pods")).hasSize(asked);
        assertThat(harness.server.actions("create", "pods")).hasSize(2);
    }
}
