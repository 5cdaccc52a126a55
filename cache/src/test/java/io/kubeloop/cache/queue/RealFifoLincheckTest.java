/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import io.kubeloop.cache.fake.LincheckRunner;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * An {@link RealFifo} is linearizable: two producers of changes, lists, resyncs and bookmarks, and one consumer, see
 * the results of a plain queue (RF-01, RF-02, RF-06 to RF-09, RF-13, RF-14; I1). Batches have one entry, because their
 * size depends on timing and is not specified. DeltaQueueInterleavingsTest covers a pop that blocks.
 */
@Tag("stress")
@Param(name = "object", gen = IntGen.class, conf = "11:14")
@SuppressWarnings("missing-explicit-ctor")
public class RealFifoLincheckTest {

    private final RealFifo<Integer, Integer> queue = new RealFifo<>(object -> object / 10, 1);

    @Operation
    public void add(@Param(name = "object") int object) {
        queue.add(object);
    }

    @Operation
    public void update(@Param(name = "object") int object) {
        queue.update(object);
    }

    @Operation
    public void delete(@Param(name = "object") int object) {
        queue.delete(object);
    }

    @Operation
    public void replace(@Param(name = "object") int object) {
        queue.replace(List.of(object), "9");
    }

    @Operation
    public void resync() {
        queue.resync();
    }

    @Operation
    public void bookmark() {
        queue.bookmark("5");
    }

    @Operation(nonParallelGroup = "consumer")
    public String pop() {
        if (queue.size() == 0) {
            return "";
        }
        EntryPrinter printer = new EntryPrinter();
        queue.pop(printer);
        return printer.text();
    }

    @Operation
    public int size() {
        return queue.size();
    }

    @Operation
    public boolean hasSynced() {
        return queue.hasSynced();
    }

    /** The specification of the queue. */
    public static class Model {

        private final Deque<String> queued = new ArrayDeque<>();
        private boolean populated;
        private int initial;

        private void change(String text) {
            queued.add(text);
            populated = true;
        }

        public void add(int object) {
            change("ADDED " + object);
        }

        public void update(int object) {
            change("UPDATED " + object);
        }

        public void delete(int object) {
            change("DELETED " + object);
        }

        public void replace(int object) {
            queued.add("list " + object);
            if (!populated) {
                populated = true;
                initial = queued.size();
            }
        }

        public void resync() {
            queued.add("sync");
        }

        public void bookmark() {
            queued.add("bookmark 5");
        }

        public String pop() {
            if (queued.isEmpty()) {
                return "";
            }
            initial = Math.max(0, initial - 1);
            return queued.remove();
        }

        public int size() {
            return queued.size();
        }

        public boolean hasSynced() {
            return populated && initial == 0;
        }
    }

    @Test
    void chosenSchedules_areLinearizable_I1() {
        LincheckRunner.modelCheck(RealFifoLincheckTest.class, Model.class);
    }

    @Test
    @EnabledIfSystemProperty(
            named = "kubeloop.lincheck.runs",
            matches = ".+",
            disabledReason = "part of the profile stress")
    void parallelRuns_areLinearizable_I1() {
        LincheckRunner.stress(RealFifoLincheckTest.class, Model.class);
    }
}
