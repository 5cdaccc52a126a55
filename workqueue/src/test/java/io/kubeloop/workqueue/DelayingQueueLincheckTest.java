/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The delaying queue is linearizable and loses nothing, whatever races with the clock: some add now and later while one
 * moves the time and takes what is there (DQ-01 to DQ-04). The clock is moved by hand, so every run is decided by
 * the schedule alone. What is taken at once is compared as a set: items whose times lie in one step of the clock become
 * due one by one. Shutting down in the middle of such a step may let some of it through (DQ-05), and is not part of
 * this.
 */
@Tag("stress")
@Param(name = "item", gen = IntGen.class, conf = "1:3")
@SuppressWarnings("missing-explicit-ctor")
public class DelayingQueueLincheckTest {

    private final StepClock clock = new StepClock();
    private final DelayingQueue<Integer> queue =
            WorkQueues.delaying(WorkQueueConfig.named("").withScheduler(clock));

    @Operation
    public void addAfter(@Param(name = "item") int item) {
        queue.addAfter(item, Duration.ofNanos(item));
    }

    @Operation
    public void add(@Param(name = "item") int item) {
        queue.add(item);
    }

    /** Lets more time pass than any item was delayed by. */
    @Operation(nonParallelGroup = "worker")
    public void pass() {
        clock.advance(10);
    }

    @Operation(nonParallelGroup = "worker")
    public String takeAll() throws InterruptedException {
        Set<Integer> taken = new TreeSet<>();
        while (queue.length() > 0) {
            Integer item = queue.get();
            taken.add(item);
            queue.done(item);
        }
        return taken.toString();
    }

    /** The queue as two plain sets. */
    public static class Model {

        private final Set<Integer> delayed = new TreeSet<>();
        private final Set<Integer> waiting = new TreeSet<>();

        public void addAfter(int item) {
            delayed.add(item);
        }

        public void add(int item) {
            waiting.add(item);
        }

        public void pass() {
            waiting.addAll(delayed);
            delayed.clear();
        }

        public String takeAll() {
            String taken = waiting.toString();
            waiting.clear();
            return taken;
        }
    }

    @Test
    void chosenSchedules_areLinearizable_DQ01_DQ02_DQ03_DQ04() {
        Lincheck.modelCheck(DelayingQueueLincheckTest.class, Model.class);
    }

    @Test
    @EnabledIfSystemProperty(
            named = "kubeloop.lincheck.runs",
            matches = ".+",
            disabledReason = "part of the profile stress")
    void parallelRuns_areLinearizable_DQ01_DQ02_DQ03_DQ04() {
        Lincheck.stress(DelayingQueueLincheckTest.class, Model.class);
    }
}
