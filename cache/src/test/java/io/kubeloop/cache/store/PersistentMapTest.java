package io.kubeloop.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentMapTest {

    /** A key whose hash is chosen, so that whole hashes and parts of them collide. */
    private record Key(int number, int spread) {
        @Override
        public int hashCode() {
            return number % spread;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 40, 1_000_000})
    void changes_atRandom_agreeWithHashMapAndLeaveOldVersionsAlone(int spread) {
        Random random = new Random(spread);
        PersistentMap<Key, Integer> map = PersistentMap.empty();
        Map<Key, Integer> model = new HashMap<>();
        List<PersistentMap<Key, Integer>> versions = new ArrayList<>();
        List<Map<Key, Integer>> models = new ArrayList<>();
        for (int round = 0; round < 60; round++) {
            PersistentMap.Builder<Key, Integer> builder = map.toBuilder();
            int keys = round < 40 ? 200 : 20;
            for (int i = 0; i < 30; i++) {
                Key key = new Key(random.nextInt(keys), spread);
                if (random.nextInt(10) < (round < 30 ? 7 : 3)) {
                    assertThat(builder.put(key, round * 100 + i)).isEqualTo(model.put(key, round * 100 + i));
                } else {
                    assertThat(builder.remove(key)).isEqualTo(model.remove(key));
                }
                assertThat(builder.size()).isEqualTo(model.size());
                assertThat(builder.get(key)).isEqualTo(model.get(key));
            }
            map = builder.build();
            versions.add(map);
            models.add(Map.copyOf(model));
        }
        for (int i = 0; i < versions.size(); i++) {
            assertSame(versions.get(i), models.get(i));
            assertChanges(versions.get(Math.max(0, i - 1)), versions.get(i));
            assertChanges(versions.get(versions.size() - 1 - i), versions.get(i));
        }
    }

    private static void assertChanges(PersistentMap<Key, Integer> before, PersistentMap<Key, Integer> after) {
        Map<Key, List<Integer>> expected = new HashMap<>();
        before.forEach((key, value) -> {
            if (!value.equals(after.get(key))) {
                expected.put(key, Arrays.asList(value, after.get(key)));
            }
        });
        after.forEach((key, value) -> {
            if (before.get(key) == null) {
                expected.put(key, Arrays.asList(null, value));
            }
        });
        Map<Key, List<Integer>> changes = new HashMap<>();
        after.forEachChangeSince(
                before,
                (key, was, is) -> assertThat(changes.put(key, Arrays.asList(was, is)))
                        .as("told twice")
                        .isNull());
        assertThat(changes).isEqualTo(expected);
    }

    @Test
    void changes_ofAFewKeysAmongMany_areFound() {
        PersistentMap.Builder<Key, Integer> builder = PersistentMap.<Key, Integer>empty().toBuilder();
        for (int i = 0; i < 100_000; i++) {
            builder.put(new Key(i, Integer.MAX_VALUE), i);
        }
        PersistentMap<Key, Integer> before = builder.build();
        PersistentMap.Builder<Key, Integer> next = before.toBuilder();
        next.put(new Key(7, Integer.MAX_VALUE), -7);
        next.put(new Key(1_000_000, Integer.MAX_VALUE), 1);
        next.remove(new Key(8, Integer.MAX_VALUE));
        List<String> changes = new ArrayList<>();
        next.build().forEachChangeSince(before, (key, was, is) -> changes.add(key.number() + ": " + was + " -> " + is));
        assertThat(changes).containsExactlyInAnyOrder("7: 7 -> -7", "8: 8 -> null", "1000000: null -> 1");
    }

    @Test
    void remove_everything_leavesTheEmptyMap() {
        PersistentMap.Builder<Key, Integer> builder = PersistentMap.<Key, Integer>empty().toBuilder();
        for (int i = 0; i < 500; i++) {
            builder.put(new Key(i, 1000), i);
        }
        PersistentMap<Key, Integer> full = builder.build();
        PersistentMap.Builder<Key, Integer> next = full.toBuilder();
        for (int i = 0; i < 500; i++) {
            assertThat(next.remove(new Key(i, 1000))).isEqualTo(i);
        }
        assertThat(next.build()).isSameAs(PersistentMap.empty());
        assertThat(full.size()).isEqualTo(500);
    }

    @Test
    void put_equalKey_keepsTheKeyThatIsThere() {
        Key first = new Key(1, 10);
        PersistentMap.Builder<Key, Integer> builder = PersistentMap.<Key, Integer>empty().toBuilder();
        builder.put(first, 1);
        builder.put(new Key(1, 10), 2);
        assertThat(builder.build().keys().get(0)).isSameAs(first);
    }

    private static void assertSame(PersistentMap<Key, Integer> map, Map<Key, Integer> model) {
        assertThat(map.size()).isEqualTo(model.size());
        assertThat(map.keys()).containsExactlyInAnyOrderElementsOf(model.keySet());
        assertThat(map.values()).containsExactlyInAnyOrderElementsOf(model.values());
        Map<Key, Integer> seen = new HashMap<>();
        map.forEach(seen::put);
        assertThat(seen).isEqualTo(model);
        model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
        assertThat(map.get(new Key(-1, 7))).isNull();
    }

    @Test
    void builder_usedAgainAfterBuild_leavesTheBuiltMapAlone_C11() {
        PersistentMap.Builder<String, Integer> builder = PersistentMap.<String, Integer>empty().toBuilder();
        builder.put("a", 1);
        builder.put("b", 2);
        PersistentMap<String, Integer> built = builder.build();
        builder.put("a", 3);
        builder.put("c", 4);
        builder.remove("b");
        assertThat(built.size()).isEqualTo(2);
        assertThat(built.get("a")).isEqualTo(1);
        assertThat(built.get("b")).isEqualTo(2);
        assertThat(built.get("c")).isNull();
        assertThat(builder.build().get("a")).isEqualTo(3);
    }
}
