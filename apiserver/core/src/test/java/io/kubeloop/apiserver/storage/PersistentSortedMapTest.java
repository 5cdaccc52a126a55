/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentSortedMapTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void randomChanges_agreeWithATreeMap(long seed) {
        Random random = new Random(seed);
        PersistentSortedMap<Integer> map = PersistentSortedMap.empty();
        TreeMap<String, Integer> model = new TreeMap<>();
        for (int i = 0; i < 2000; i++) {
            String key = "k" + random.nextInt(300);
            if (random.nextInt(5) < 2) {
                map = map.without(key);
                model.remove(key);
            } else {
                map = map.with(key, i);
                model.put(key, i);
            }
            assertThat(map.size()).isEqualTo(model.size());
            assertThat(map.get(key)).isEqualTo(model.get(key));
            String from = "k" + random.nextInt(300);
            String until = "k" + random.nextInt(300);
            assertThat(map.rank(from)).isEqualTo(model.headMap(from).size());
            if (i % 50 == 0) {
                assertThat(values(map, from, null))
                        .containsExactlyElementsOf(model.tailMap(from, true).values());
                if (from.compareTo(until) <= 0) {
                    assertThat(values(map, from, until))
                            .containsExactlyElementsOf(model.subMap(from, until).values());
                }
            }
        }
    }

    @Test
    void change_leavesTheMapBeforeItAsItWas() {
        PersistentSortedMap<Integer> before =
                PersistentSortedMap.<Integer>empty().with("a", 1).with("b", 2);

        PersistentSortedMap<Integer> after = before.with("a", 3).without("b").with("c", 4);

        assertThat(values(before, "", null)).containsExactly(1, 2);
        assertThat(values(after, "", null)).containsExactly(3, 4);
    }

    @Test
    void with_keysInOrder_staysBalanced() {
        PersistentSortedMap<Integer> map = PersistentSortedMap.empty();
        for (int i = 0; i < 100_000; i++) {
            map = map.with(String.format("%06d", i), i);
        }
        // A linked list of this length would overflow the stack of the recursive insertion.
        assertThat(map.rank("050000")).isEqualTo(50_000);
    }

    private static List<Integer> values(PersistentSortedMap<Integer> map, String from, String until) {
        List<Integer> values = new ArrayList<>();
        map.range(from, until).forEachRemaining(values::add);
        return values;
    }
}
