/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

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
