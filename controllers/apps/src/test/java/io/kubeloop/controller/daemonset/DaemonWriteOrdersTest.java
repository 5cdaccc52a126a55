/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.daemonset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.controller.simulation.WriteOrders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All legal orders around one write of a pod; see {@link WriteOrders}. Each order states how many pods were created
 * when its SYNC returns. The node never gets a second pod. At the end it has one, and no time has passed.
 */
class DaemonWriteOrdersTest {

    private static final ObjectName KEY = new ObjectName("default", "agent");
    private static final ObjectName NODE = new ObjectName("", "n");

    private final WriteOrders<Pod> orders = new WriteOrders<>(KEY, ResourceTypes.PODS);

    @AfterEach
    void close() {
        orders.close();
    }

    private void start() {
        orders.create(ResourceTypes.NODES, "{\"metadata\":{\"name\":\"n\",\"labels\":{\"pool\":\"a\"}}}");
        orders.patch(ResourceTypes.NODES, NODE, "{\"spec\":{\"taints\":null}}"); // the server taints a new node
        orders.create(ResourceTypes.DAEMON_SETS, """
                {"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"agent","namespace":"default"},
                 "spec":{"selector":{"matchLabels":{"app":"agent"}},
                         "template":{"metadata":{"labels":{"app":"agent"}},
                                     "spec":{"nodeSelector":{"pool":"a"},"containers":[{"name":"c","image":"i"}]}}}\
                }""");
        DaemonWiring wiring = new DaemonWiring(orders.process(), orders.clock(), resource -> {});
        orders.process().cache(ResourceTypes.NODES, wiring.nodes, new ResourceEventHandler<>() {});
        orders.start(wiring.pods, wiring.sync::syncDaemonSet);
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

    /** The node no longer fits, and fits again before the watch has delivered the deletion of its pod. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = WriteOrders.DELETION)
    void deletion(String steps, int expected) {
        start();
        orders.settle();
        orders.patch(ResourceTypes.NODES, NODE, "{\"metadata\":{\"labels\":{\"pool\":\"b\"}}}");
        orders.process().deliverAll();
        orders.play(
                steps,
                "DELETE",
                false,
                () -> orders.patch(ResourceTypes.NODES, NODE, "{\"metadata\":{\"labels\":{\"pool\":\"a\"}}}"));
        orders.assertOneChild(steps, expected, 2);
    }
}
