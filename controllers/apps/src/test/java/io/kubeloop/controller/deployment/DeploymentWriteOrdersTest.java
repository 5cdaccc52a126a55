/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.controller.simulation.WriteOrders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All legal orders around one write of a ReplicaSet; see {@link WriteOrders}. Each order states how many ReplicaSets
 * were created
 * when its SYNC returns. The template never gets a second one. At the end it has one, and no time has passed.
 */
class DeploymentWriteOrdersTest {

    private static final ObjectName KEY = new ObjectName("default", "web");

    private final WriteOrders<ReplicaSet> orders = new WriteOrders<>(KEY, ResourceTypes.REPLICA_SETS);

    @AfterEach
    void close() {
        orders.close();
    }

    private void start() {
        orders.create(ResourceTypes.DEPLOYMENTS, """
                {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"default"},
                 "spec":{"replicas":0,"revisionHistoryLimit":0,"selector":{"matchLabels":{"app":"web"}},
                         "template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i"}\
                ]}}}}""");
        SimulatedDeploymentManager manager = new SimulatedDeploymentManager(orders.process(), orders.clock());
        orders.start(manager.sets, manager.sync);
    }

    private void assertOneSet(String steps, int expectedAfterSync) {
        assertThat(orders.creationsAfterSync())
                .as("created when the sync returns, %s", steps)
                .isEqualTo(expectedAfterSync);
        assertThat(orders.owned()).as("settled, %s", steps).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the creation | sets created when the sync returns
            EVENT  VANISH EVENT  ANSWER SYNC               | 2
            EVENT  VANISH ANSWER EVENT  SYNC               | 2
            EVENT  VANISH ANSWER SYNC   EVENT              | 1
            EVENT  ANSWER VANISH EVENT  SYNC               | 2
            EVENT  ANSWER VANISH SYNC   EVENT              | 1
            EVENT  ANSWER SYNC   VANISH EVENT              | 1
            ANSWER EVENT  VANISH EVENT  SYNC               | 2
            ANSWER EVENT  VANISH SYNC   EVENT              | 1
            ANSWER EVENT  SYNC   VANISH EVENT              | 1
            ANSWER SYNC   EVENT  VANISH EVENT              | 1
            VANISH EVENT  EVENT  ANSWER SYNC               | 2
            VANISH ANSWER EVENT  EVENT  SYNC               | 2
            VANISH ANSWER EVENT  SYNC   EVENT              | 1
            VANISH ANSWER SYNC   EVENT  EVENT              | 1
            VANISH LIST   ANSWER SYNC                      | 2
            VANISH ANSWER LIST   SYNC                      | 2
            VANISH ANSWER SYNC   LIST                      | 1
            ANSWER VANISH LIST   SYNC                      | 2
            ANSWER VANISH SYNC   LIST                      | 1
            ANSWER SYNC   VANISH LIST                      | 1
            """)
    void creation(String steps, int expected) {
        start();
        orders.play(steps, "POST", false);
        assertOneSet(steps, expected);
        assertThat(orders.creations()).isEqualTo(2);
    }

    /** The ReplicaSets are listed from the server: a sync acts on the truth, whatever the cache shows. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the creation | sets created when the sync returns
            EVENT  VANISH EVENT  ANSWER SYNC               | 2
            EVENT  VANISH ANSWER SYNC   EVENT              | 2
            EVENT  ANSWER VANISH SYNC   EVENT              | 2
            EVENT  ANSWER SYNC   VANISH EVENT              | 1
            ANSWER EVENT  VANISH SYNC   EVENT              | 2
            ANSWER EVENT  SYNC   VANISH EVENT              | 1
            ANSWER SYNC   EVENT  VANISH EVENT              | 1
            VANISH EVENT  EVENT  ANSWER SYNC               | 2
            VANISH ANSWER SYNC   EVENT  EVENT              | 2
            VANISH LIST   ANSWER SYNC                      | 2
            VANISH ANSWER SYNC   LIST                      | 2
            ANSWER VANISH SYNC   LIST                      | 2
            ANSWER SYNC   VANISH LIST                      | 1
            """)
    void creationWhoseAnswerIsLost(String steps, int expected) {
        start();
        orders.play(steps, "POST", true);
        assertOneSet(steps, expected);
        assertThat(orders.creations()).isEqualTo(2);
    }

    /** The ReplicaSet has lost its owner, and is adopted again. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the patch    | sets created when the sync returns
            EVENT  ANSWER SYNC                             | 1
            ANSWER EVENT  SYNC                             | 1
            ANSWER SYNC   EVENT                            | 1
            EVENT  VANISH EVENT  ANSWER SYNC               | 2
            EVENT  VANISH ANSWER SYNC   EVENT              | 1
            VANISH ANSWER EVENT  SYNC   EVENT              | 1
            ANSWER VANISH EVENT  EVENT  SYNC               | 2
            ANSWER VANISH SYNC   EVENT  EVENT              | 1
            VANISH LIST   ANSWER SYNC                      | 2
            ANSWER VANISH SYNC   LIST                      | 1
            """)
    void adoption(String steps, int expected) {
        start();
        orders.settle();
        orders.patch(
                ResourceTypes.REPLICA_SETS,
                orders.owned().get(0).objectName(),
                "{\"metadata\":{\"ownerReferences\":null}}");
        orders.process().deliverAll();
        orders.play(steps, "PATCH", false);
        assertOneSet(steps, expected);
    }
}
