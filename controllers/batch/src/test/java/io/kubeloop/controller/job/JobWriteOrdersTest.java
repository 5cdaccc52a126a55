/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.job;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.core.Pod;
import io.kubeloop.controller.simulation.WriteOrders;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * All legal orders around one write of a pod; see {@link WriteOrders}. Each order states how many pods were created
 * when its SYNC returns. The job never has a second pod. At the end it has one, and no minute has passed.
 */
class JobWriteOrdersTest {

    private static final ObjectName KEY = new ObjectName("default", "job");

    /** Syncs after events of pods are put together for a second. */
    private final WriteOrders<Pod> orders = new WriteOrders<>(KEY, ResourceTypes.PODS, Duration.ofSeconds(1));

    @AfterEach
    void close() {
        orders.close();
    }

    private void start() {
        orders.create(ResourceTypes.JOBS, """
                {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"job","namespace":"default"},
                 "spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}""");
        SimulatedJobManager manager = new SimulatedJobManager(orders.process(), orders.clock());
        orders.start(manager.pods, manager::syncJob);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = WriteOrders.CREATION)
    void creation(String steps, int expected) {
        start();
        orders.play(steps, "POST", false);
        orders.assertOneChild(steps, expected, 2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = WriteOrders.LOST_CREATION)
    void creationWhoseAnswerIsLost(String steps, int expected) {
        start();
        orders.play(steps, "POST", true);
        orders.assertOneChild(steps, expected, 2);
    }

    /**
     * A suspension removes the finalizer of the pod and deletes it: two events. The job is resumed before the watch
     * of pods has delivered that.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # order after the server has stored the deletion | pods created when the sync returns
            EVENT  EVENT  ANSWER SYNC                      | 2
            EVENT  ANSWER EVENT  SYNC                      | 2
            EVENT  ANSWER SYNC   EVENT                     | 1
            ANSWER EVENT  EVENT  SYNC                      | 2
            ANSWER EVENT  SYNC   EVENT                     | 1
            ANSWER SYNC   EVENT  EVENT                     | 1
            LIST   ANSWER SYNC                             | 2
            ANSWER LIST   SYNC                             | 2
            ANSWER SYNC   LIST                             | 1
            """)
    void deletion(String steps, int expected) {
        start();
        orders.settle();
        suspend(true);
        orders.process().deliverAll();
        orders.play(steps, "DELETE", false, () -> suspend(false));
        orders.assertOneChild(steps, expected, 2);
    }

    private void suspend(boolean isSuspended) {
        orders.patch(ResourceTypes.JOBS, KEY, "{\"spec\":{\"suspend\":" + isSuspended + "}}");
    }
}
