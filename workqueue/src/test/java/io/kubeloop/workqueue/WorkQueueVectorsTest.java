/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The queues against what upstream does: workqueue (WQ-01 to WQ-08) and delaying-queue (DQ-01 to DQ-05, RQ-01). */
class WorkQueueVectorsTest {

    /** The one difference: upstream hands the item to two workers (WQ-06). */
    private static final String DONE_OF_A_WAITING_ITEM = "done of something waiting does not remove it";

    @TestFactory
    Stream<DynamicTest> workqueue() {
        return Vectors.tests(getClass(), "workqueue", WorkQueueVectorsTest::check);
    }

    @TestFactory
    Stream<DynamicTest> delayingQueue() {
        return Vectors.tests(getClass(), "delaying-queue", WorkQueueVectorsTest::check);
    }

    private static void check(Vectors.Case vector) throws InterruptedException {
        List<Map<String, Object>> results = new QueueOps(vector).run(vector);
        if (vector.name().equals(DONE_OF_A_WAITING_ITEM)) {
            assertThat(results)
                    .extracting(result -> result.get("len"))
                    .containsExactly(BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ZERO);
        } else {
            assertThat(results).isEqualTo(vector.expected().get("results"));
        }
    }
}
