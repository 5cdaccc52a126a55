/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.runtime.collection.SeededHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A table does what a map does, whatever is put, removed and put again. */
class FlatTableTest {

    /** A key whose hashes collide often, and whose instances differ. */
    private record Key(int number) {
        @Override
        public int hashCode() {
            return number % 7;
        }
    }

    private final FlatTable<Key, Integer> table = new FlatTable<>();
    private final Map<Key, Integer> model = new HashMap<>();

    private void put(int number, int value) {
        table.put(new Key(number), value);
        model.put(new Key(number), value);
    }

    private void remove(int number) {
        table.remove(new Key(number));
        model.remove(new Key(number));
    }

    private void assertSame() {
        assertThat(table.size()).isEqualTo(model.size());
        assertThat(table.keys()).containsExactlyInAnyOrderElementsOf(model.keySet());
        assertThat(table.values()).containsExactlyInAnyOrderElementsOf(model.values());
        Map<Key, Integer> walked = new HashMap<>();
        table.forEach(walked::put);
        assertThat(walked).isEqualTo(model);
        for (int i = 0; i < 60; i++) {
            assertThat(table.get(new Key(i))).isEqualTo(model.get(new Key(i)));
        }
    }

    @Test
    void randomChanges_equalThoseOfAMap() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            for (int step = 0; step < 60; step++) {
                if (random.nextInt(3) > 0) {
                    put(random.nextInt(60), step);
                } else {
                    remove(random.nextInt(60));
                }
            }
            assertSame();
        }
    }

    private static long comparisons;

    /** A key whose hash code a tenant chose. */
    private record Name(int number) {
        @Override
        public boolean equals(Object other) {
            comparisons++;
            return other instanceof Name name && name.number == number;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void namesOfEqualHashCodes_areComparedInProportionToTheirNumber() {
        int count = 20_000;
        FlatTable<Name, Integer> names = new FlatTable<>();
        comparisons = 0;
        for (int i = 0; i < count; i++) {
            names.put(new Name(i), i);
            names.remove(new Name(i - count / 2));
        }
        for (int i = 0; i < count; i++) {
            assertThat(names.get(new Name(i))).isEqualTo(i < count / 2 ? null : i);
        }

        assertThat(names.keys()).hasSize(count / 2);
        assertThat(comparisons).isLessThan(20L * count);
    }

    /** The keys of stores are records, so {@link SeededHash} applies to them. */
    @Test
    void objectNames_ofEqualHashCodes_differInTheirSeededHash() {
        ObjectName one = new ObjectName("default", "an-web");
        ObjectName other = new ObjectName("default", "c0-web");

        assertThat(one).hasSameHashCodeAs(other);
        assertThat(SeededHash.appliesTo(one)).isTrue();
        assertThat(SeededHash.of(one))
                .isNotEqualTo(SeededHash.of(other))
                .isEqualTo(SeededHash.of(ObjectName.parse(one.toString())));
    }

    @Test
    void removedKeys_areDroppedWhenTheTableIsFull_soAStoreWithChangingKeysDoesNotGrow() {
        List<Key> keys = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            put(i, i);
            if (i >= 10) {
                remove(i - 10);
            }
        }
        table.forEach((key, value) -> keys.add(key));
        assertThat(keys).hasSize(10);
        assertThat(table.capacity()).isLessThanOrEqualTo(64);
    }
}
