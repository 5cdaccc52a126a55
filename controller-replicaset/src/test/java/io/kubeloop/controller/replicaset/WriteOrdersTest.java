/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.replicaset;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.apps.ReplicaSet;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.fake.FakeRecorder;
import io.kubeloop.controller.simulation.LaggingCache;
import io.kubeloop.controller.simulation.SimulatedProcess;
import io.kubeloop.controller.simulation.WriteOrders;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All legal orders around one write of a pod; see {@link WriteOrders}. Each order states how many pods were created
 * when its SYNC returns. The owner never gets a second pod. At the end it has one, and no time has passed.
 */
class WriteOrdersTest {

    private static final ObjectName KEY = new ObjectName("default", "api");

    private final WriteOrders<Pod> orders = new WriteOrders<>(KEY, ResourceTypes.PODS);

    @AfterEach
    void close() {
        orders.close();
    }

    private void start() {
        orders.create(ResourceTypes.REPLICA_SETS, """
                {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"api","namespace":"default"},
                 "spec":{"replicas":1,"selector":{"matchLabels":{"app":"api"}},
                         "template":{"metadata":{"labels":{"app":"api"}},
                                     "spec":{"containers":[{"name":"c","image":"i"}]}}}}""");
        SimulatedProcess process = orders.process();
        LaggingCache<ReplicaSet> owners = new LaggingCache<>();
        LaggingCache<Pod> pods = new LaggingCache<>();
        Wiring<ReplicaSet> wiring = Wiring.of(
                new ReplicaSetKind(),
                owners,
                pods,
                process.client(),
                new FakeRecorder(),
                process.queue,
                orders.clock(),
                new Wiring.Settings(500, Duration.ZERO, resource -> {}));
        process.cache(ResourceTypes.REPLICA_SETS, owners, new ReplicaSetController.OwnerEvents<>(wiring.handlers()));
        process.cache(ResourceTypes.PODS, pods, new ReplicaSetController.PodEvents(wiring.handlers()));
        orders.start(pods, wiring.sync()::syncReplicaSet);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = WriteOrders.CREATION)
    void creation(String steps, int expected) {
        start();
        orders.play(steps, "POST", false);
        orders.assertOneChild(steps, expected, 2);
    }

    /** The pods are listed from the server, so a sync acts on the truth, whatever the cache shows. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = WriteOrders.LOST_CREATION)
    void creationWhoseAnswerIsLost(String steps, int expected) {
        start();
        orders.play(steps, "POST", true);
        orders.assertOneChild(steps, expected, 2);
    }

    /** An orphan is adopted, and its patch is the write of the order. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the patch    | pods created when the sync returns
            EVENT  ANSWER SYNC                             | 0
            ANSWER EVENT  SYNC                             | 0
            ANSWER SYNC   EVENT                            | 0
            EVENT  VANISH EVENT  ANSWER SYNC               | 1
            EVENT  VANISH ANSWER SYNC   EVENT              | 0
            ANSWER VANISH SYNC   EVENT  EVENT              | 0
            ANSWER VANISH EVENT  EVENT  SYNC               | 1
            VANISH ANSWER EVENT  SYNC   EVENT              | 0
            VANISH LIST   ANSWER SYNC                      | 1
            ANSWER VANISH SYNC   LIST                      | 0
            """)
    void adoption(String steps, int expected) {
        orders.create(ResourceTypes.PODS, """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"bare","namespace":"default","labels":{"app":"api"}},
                 "spec":{"containers":[{"name":"c","image":"i"}]}}""");
        start();
        orders.play(steps, "PATCH", false);
        orders.assertOneChild(steps, expected, steps.contains("VANISH") ? 1 : 0);
    }

    /** A scale down deletes the pod, and the owner is scaled up again before the watch of pods has delivered that. */
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
        orders.patch(ResourceTypes.REPLICA_SETS, KEY, "{\"spec\":{\"replicas\":" + replicas + "}}");
    }
}
