/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.workqueue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The queue is linearizable: whatever producers, one worker and one who shuts down do at a time, the answers are those
 * of some order of the calls on three plain collections (WQ-01 to WQ-06; I3). A get that blocks has no answer that
 * could be compared, so the worker asks for the length first; gets that block are in WorkQueueInterleavingsTest.
 */
@Tag("stress")
@Param(name = "item", gen = IntGen.class, conf = "1:2")
@SuppressWarnings("missing-explicit-ctor")
public class FifoWorkQueueLincheckTest {

    private final WorkQueue<Integer> queue = WorkQueues.fifo(WorkQueueConfig.named(""));
    private final Deque<Integer> taken = new ArrayDeque<>();

    @Operation
    public void add(@Param(name = "item") int item) {
        queue.add(item);
    }

    @Operation(nonParallelGroup = "worker")
    public Integer take() throws InterruptedException {
        if (queue.length() == 0) {
            return null;
        }
        Integer item = queue.get();
        taken.add(item);
        return item;
    }

    @Operation(nonParallelGroup = "worker")
    public Integer done() {
        Integer item = taken.poll();
        if (item != null) {
            queue.done(item);
        }
        return item;
    }

    @Operation
    public int length() {
        return queue.length();
    }

    @Operation
    public void shutDown() {
        queue.shutDown();
    }

    @Operation
    public boolean isShuttingDown() {
        return queue.isShuttingDown();
    }

    /** The queue as the specification words it. */
    public static class Model {

        private final Deque<Integer> queue = new ArrayDeque<>();
        private final Set<Integer> dirty = new HashSet<>();
        private final Set<Integer> processing = new HashSet<>();
        private final Deque<Integer> taken = new ArrayDeque<>();
        private boolean shuttingDown;

        public void add(int item) {
            if (!shuttingDown && dirty.add(item) && !processing.contains(item)) {
                queue.add(item);
            }
        }

        public Integer take() {
            Integer item = queue.poll();
            if (item != null) {
                processing.add(item);
                dirty.remove(item);
                taken.add(item);
            }
            return item;
        }

        public Integer done() {
            Integer item = taken.poll();
            if (item != null && processing.remove(item) && dirty.contains(item)) {
                queue.add(item);
            }
            return item;
        }

        public int length() {
            return queue.size();
        }

        public void shutDown() {
            shuttingDown = true;
        }

        public boolean isShuttingDown() {
            return shuttingDown;
        }
    }

    @Test
    void chosenSchedules_areLinearizable_I3() {
        Lincheck.modelCheck(FifoWorkQueueLincheckTest.class, Model.class);
    }

    @Test
    @EnabledIfSystemProperty(
            named = "kubeloop.lincheck.runs",
            matches = ".+",
            disabledReason = "part of the profile stress")
    void parallelRuns_areLinearizable_I3() {
        Lincheck.stress(FifoWorkQueueLincheckTest.class, Model.class);
    }
}
