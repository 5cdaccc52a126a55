/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.deployment;

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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = WriteOrders.CREATION)
    void creation(String steps, int expected) {
        start();
        orders.play(steps, "POST", false);
        orders.assertOneChild(steps, expected, 2);
    }

    /** The ReplicaSets are listed from the server: a sync acts on the truth, whatever the cache shows. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = WriteOrders.LOST_CREATION)
    void creationWhoseAnswerIsLost(String steps, int expected) {
        start();
        orders.play(steps, "POST", true);
        orders.assertOneChild(steps, expected, 2);
    }

    /** The ReplicaSet has lost its owner, and is adopted again. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = WriteOrders.ADOPTION)
    void adoption(String steps, int expected) {
        start();
        orders.settle();
        orders.patch(
                ResourceTypes.REPLICA_SETS,
                orders.owned().get(0).objectName(),
                "{\"metadata\":{\"ownerReferences\":null}}");
        orders.process().deliverAll();
        orders.play(steps, "PATCH", false);
        orders.assertOneChild(steps, expected);
    }
}
