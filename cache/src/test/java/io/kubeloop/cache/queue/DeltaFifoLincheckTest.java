/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.kubeloop.cache.fake.LincheckRunner;
import io.kubeloop.cache.store.ThreadSafeStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A {@link DeltaFifo} is linearizable together with the store of its consumer. Whatever two producers do while a key is
 * being processed, each deletion is found once, among queued, processed and stored objects (DF-01 to DF-05, DF-09,
 * DF-16; I1, I2). Entries in process count as taken, so only the consumer reads the size. DeltaQueueInterleavingsTest
 * covers a pop that blocks.
 */
@Tag("stress")
@Param(name = "object", gen = IntGen.class, conf = "11:13")
@Param(name = "other", gen = IntGen.class, conf = "21:22")
@SuppressWarnings("missing-explicit-ctor")
public class DeltaFifoLincheckTest {

    private final ThreadSafeStore<Integer, Integer> store = new ThreadSafeStore<>(object -> object / 10, object -> "");
    private final DeltaFifo<Integer, Integer> queue = new DeltaFifo<>(object -> object / 10, KnownObjects.of(store), 1);

    @Operation
    public void add(@Param(name = "object") int object) {
        queue.add(object);
    }

    @Operation
    public void update(@Param(name = "other") int object) {
        queue.update(object);
    }

    @Operation
    public void delete(@Param(name = "object") int object) {
        queue.delete(object);
    }

    @Operation
    public void replace(@Param(name = "other") int object) {
        queue.replace(List.of(object), "9");
    }

    @Operation
    public void resync() {
        queue.resync();
    }

    @Operation(nonParallelGroup = "consumer")
    public String pop() {
        if (queue.size() == 0) {
            return "";
        }
        EntryPrinter printer = new EntryPrinter() {
            @Override
            public void deltas(List<Delta<Integer, Integer>> deltas, boolean isInInitialList) {
                super.deltas(deltas, isInInitialList);
                for (Delta<Integer, Integer> delta : deltas) {
                    if (delta.isDeletion()) {
                        store.delete(delta.object());
                    } else {
                        store.add(delta.object());
                    }
                }
            }
        };
        queue.pop(printer);
        return printer.text();
    }

    /** The specification of the queue, with the consumer's store. */
    public static class Model {

        private record Change(String type, int object, boolean unseen) {
            boolean isDeletion() {
                return type.equals("DELETED");
            }

            @Override
            public String toString() {
                return type + " " + object + (unseen ? " unseen" : "");
            }
        }

        private final Map<Integer, List<Change>> queued = new LinkedHashMap<>();
        private final Map<Integer, Integer> stored = new TreeMap<>();

        private void append(Change change) {
            List<Change> changes = queued.computeIfAbsent(change.object() / 10, key -> new ArrayList<>());
            int last = changes.size() - 1;
            if (last >= 0 && change.isDeletion() && changes.get(last).isDeletion()) {
                if (changes.get(last).unseen()) {
                    changes.set(last, change);
                }
            } else {
                changes.add(change);
            }
        }

        public void add(int object) {
            append(new Change("ADDED", object, false));
        }

        public void update(int object) {
            append(new Change("UPDATED", object, false));
        }

        public void delete(int object) {
            if (queued.containsKey(object / 10) || stored.containsKey(object / 10)) {
                append(new Change("DELETED", object, false));
            }
        }

        public void replace(int object) {
            append(new Change("REPLACED", object, false));
            Set<Integer> gone = new LinkedHashSet<>(queued.keySet());
            gone.addAll(stored.keySet());
            gone.remove(object / 10);
            for (Integer key : gone) {
                List<Change> changes = queued.get(key);
                int last = changes == null
                        ? stored.get(key)
                        : changes.get(changes.size() - 1).object();
                append(new Change("DELETED", last, true));
            }
        }

        public void resync() {
            stored.forEach((key, object) -> {
                if (!queued.containsKey(key)) {
                    append(new Change("SYNC", object, false));
                }
            });
        }

        public String pop() {
            if (queued.isEmpty()) {
                return "";
            }
            Integer key = queued.keySet().iterator().next();
            StringBuilder text = new StringBuilder();
            for (Change change : queued.remove(key)) {
                text.append(text.isEmpty() ? "" : ", ").append(change);
                if (change.isDeletion()) {
                    stored.remove(key);
                } else {
                    stored.put(key, change.object());
                }
            }
            return text.toString();
        }
    }

    @Test
    void chosenSchedules_areLinearizable_I1_I2() {
        LincheckRunner.modelCheck(
                DeltaFifoLincheckTest.class,
                Model.class,
                forClasses(ThreadSafeStore.class.getName()).allMethods().treatAsAtomic());
    }

    @Test
    @EnabledIfSystemProperty(
            named = "kubeloop.lincheck.runs",
            matches = ".+",
            disabledReason = "part of the profile stress")
    void parallelRuns_areLinearizable_I1_I2() {
        LincheckRunner.stress(DeltaFifoLincheckTest.class, Model.class);
    }
}
