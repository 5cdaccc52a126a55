package io.kubeloop.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.testing.Vectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The queues against what upstream does: workqueue (WQ-01 to WQ-08) and delaying-queue (DQ-01 to DQ-05, RQ-01). */
class WorkQueueVectorsTest {

    @TestFactory
    Stream<DynamicTest> workqueue() {
        return Vectors.tests(getClass(), "workqueue", WorkQueueVectorsTest::check);
    }

    @TestFactory
    Stream<DynamicTest> delayingQueue() {
        return Vectors.tests(getClass(), "delaying-queue", WorkQueueVectorsTest::check);
    }

    private static void check(Vectors.Case vector) throws InterruptedException {
        assertThat(new QueueOps(vector).run(vector)).isEqualTo(vector.expected().get("results"));
    }
}
