/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.kubeloop.cache.fake.LincheckRunner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The store is linearizable: reads of the content, of an index and of the resource version, while several threads
 * write, replace everything, run transactions and add an index (ST-01 to ST-07, IX-01 to IX-07, RV-01). An object is a
 * number: its tens are the key, its ones the version and the index value.
 */
@Tag("stress")
@Param(name = "object", gen = IntGen.class, conf = "11:14")
@Param(name = "other", gen = IntGen.class, conf = "20:23")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
@SuppressWarnings("missing-explicit-ctor")
public class ThreadSafeStoreLincheckTest {

    private final ThreadSafeStore<Integer, Integer> store =
            new ThreadSafeStore<>(object -> object / 10, object -> String.valueOf(object % 10));

    public ThreadSafeStoreLincheckTest() {
        store.addIndexers(Map.of("first", object -> List.of(String.valueOf(object % 10))));
    }

    @Operation
    public void add(@Param(name = "object") int object) {
        store.add(object);
    }

    @Operation
    public void delete(@Param(name = "object") int object) {
        store.delete(object);
    }

    @Operation
    public void replace(@Param(name = "object") int one, @Param(name = "other") int other) {
        store.replace(List.of(one, other), "9");
    }

    @Operation
    public void transact(@Param(name = "object") int gone, @Param(name = "other") int added) {
        StoreTransaction<Integer, Integer> transaction;
        do {
            transaction = store.change();
            transaction.remove(gone / 10);
            transaction.put(added / 10, added);
            transaction.resourceVersion(String.valueOf(added % 10));
        } while (!store.tryCommit(transaction));
    }

    @Operation(runOnce = true)
    public void addIndex() {
        store.addIndexers(Map.of("second", object -> List.of(String.valueOf(object % 10))));
    }

    @Operation
    public String list() {
        return sorted(store.list());
    }

    @Operation
    public String byIndex(@Param(name = "value") int value) {
        return sorted(store.byIndex("first", String.valueOf(value)));
    }

    @Operation
    public String indexNames() {
        return sorted(store.indexNames());
    }

    @Operation
    public String resourceVersion() {
        return store.resourceVersion();
    }

    /** Prints an answer. One step for the scheduler, because no other thread has it. */
    private static String sorted(Collection<?> answer) {
        return new TreeSet<>(answer).toString();
    }

    /** The specification: a map. */
    public static class Model {

        private final Map<Integer, Integer> objects = new TreeMap<>();
        private final List<String> indices = new ArrayList<>(List.of("first"));
        private String version = "";

        public void add(int object) {
            objects.put(object / 10, object);
            version = String.valueOf(object % 10);
        }

        public void delete(int object) {
            objects.remove(object / 10);
            version = String.valueOf(object % 10);
        }

        public void replace(int one, int other) {
            objects.clear();
            add(one);
            add(other);
            version = "9";
        }

        public void transact(int gone, int added) {
            delete(gone);
            add(added);
        }

        public void addIndex() {
            indices.add("second");
        }

        public String list() {
            return List.copyOf(objects.values()).toString();
        }

        public String byIndex(int value) {
            return objects.values().stream()
                    .filter(object -> object % 10 == value)
                    .toList()
                    .toString();
        }

        public String indexNames() {
            return indices.toString();
        }

        public String resourceVersion() {
            return version;
        }
    }

    /**
     * Each step of a table is open to other threads; only the functions of the test are one step. A read that overlaps
     * a commit would be detected.
     */
    @Test
    void chosenSchedules_areLinearizable_ST07() {
        LincheckRunner.modelCheck(
                ThreadSafeStoreLincheckTest.class,
                Model.class,
                forClasses(KeyChange.class.getName()).allMethods().ignore(),
                forClasses(ThreadSafeStoreLincheckTest.class.getName())
                        .methods("sorted")
                        .ignore());
    }

    @Test
    @EnabledIfSystemProperty(
            named = "kubeloop.lincheck.runs",
            matches = ".+",
            disabledReason = "part of the profile stress")
    void parallelRuns_areLinearizable_ST07() {
        LincheckRunner.stress(ThreadSafeStoreLincheckTest.class, Model.class);
    }
}
