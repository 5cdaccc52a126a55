/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

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

    private void assertOnePod(String steps, int expectedAfterSync) {
        assertThat(orders.creationsAfterSync())
                .as("created when the sync returns, %s", steps)
                .isEqualTo(expectedAfterSync);
        assertThat(orders.owned()).as("settled, %s", steps).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the creation | pods created when the sync returns
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
        assertOnePod(steps, expected);
        assertThat(orders.creations()).isEqualTo(2);
    }

    /** The pods are listed from the server: a sync acts on the truth, whatever the cache shows. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the creation | pods created when the sync returns
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
        assertOnePod(steps, expected);
        assertThat(orders.creations()).isEqualTo(2);
    }

    /** The pod has lost its owner, and is adopted again. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the patch    | pods created when the sync returns
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
                ResourceTypes.PODS, orders.owned().get(0).objectName(), "{\"metadata\":{\"ownerReferences\":null}}");
        orders.process().deliverAll();
        orders.play(steps, "PATCH", false);
        assertOnePod(steps, expected);
    }

    /** The set is scaled down, and up again before the watch has delivered the deletion of its pod. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the deletion | pods created when the sync returns
            EVENT  ANSWER SYNC                             | 2
            ANSWER EVENT  SYNC                             | 2
            ANSWER SYNC   EVENT                            | 1
            LIST   ANSWER SYNC                             | 2
            ANSWER LIST   SYNC                             | 2
            ANSWER SYNC   LIST                             | 1
            """)
    void deletion(String steps, int expected) {
        start();
        orders.settle();
        scale(0);
        orders.process().deliverAll();
        orders.play(steps, "DELETE", false, () -> scale(1));
        assertOnePod(steps, expected);
        assertThat(orders.creations()).isEqualTo(2);
    }

    private void scale(int replicas) {
        orders.patch(ResourceTypes.STATEFUL_SETS, KEY, "{\"spec\":{\"replicas\":" + replicas + "}}");
    }
}
