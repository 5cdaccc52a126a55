/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.simulation.WriteOrders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All legal orders around one write of a pod; see {@link WriteOrders}. Each order states how many pods were created
 * when its SYNC returns. A second pod of the ordinal is never requested. At the end there is one, and no time has
 * passed.
 */
class StatefulWriteOrdersTest {

    private static final ObjectName KEY = new ObjectName("default", "db");

    private final WriteOrders<Pod> orders = new WriteOrders<>(KEY, ResourceTypes.PODS);

    @AfterEach
    void close() {
        orders.close();
    }

    private void start() {
        orders.create(ResourceTypes.STATEFUL_SETS, """
                {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db","namespace":"default"},
                 "spec":{"replicas":1,"serviceName":"db","selector":{"matchLabels":{"app":"db"}},
                         "template":{"metadata":{"labels":{"app":"db"}},"spec":{"containers":[{"name":"c","image":"i"}\
                ]}}}}""");
        StatefulWiring wiring = new StatefulWiring(orders.process(), orders.clock(), resource -> {});
        orders.start(wiring.pods, wiring.sync::syncStatefulSet);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = WriteOrders.CREATION)
    void creation(String steps, int expected) {
        start();
        orders.play(steps, "POST", false);
        orders.assertOneChild(steps, expected, 2);
    }

    /** The pods are listed from the server: a sync acts on the truth, whatever the cache shows. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = WriteOrders.LOST_CREATION)
    void creationWhoseAnswerIsLost(String steps, int expected) {
        start();
        orders.play(steps, "POST", true);
        orders.assertOneChild(steps, expected, 2);
    }

    /** The pod has lost its owner, and is adopted again. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = WriteOrders.ADOPTION)
    void adoption(String steps, int expected) {
        start();
        orders.settle();
        orders.patch(
                ResourceTypes.PODS, orders.owned().get(0).objectName(), "{\"metadata\":{\"ownerReferences\":null}}");
        orders.process().deliverAll();
        orders.play(steps, "PATCH", false);
        orders.assertOneChild(steps, expected);
    }

    /** The set is scaled down, and up again before the watch has delivered the deletion of its pod. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = WriteOrders.DELETION)
    void deletion(String steps, int expected) {
        start();
        orders.settle();
        scale(0);
        orders.process().deliverAll();
        orders.play(steps, "DELETE", false, () -> scale(1));
        orders.assertOneChild(steps, expected, 2);
    }

    private void scale(int replicas) {
        orders.patch(ResourceTypes.STATEFUL_SETS, KEY, "{\"spec\":{\"replicas\":" + replicas + "}}");
    }
}
