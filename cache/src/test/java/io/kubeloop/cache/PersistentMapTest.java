package io.kubeloop.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
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
        }
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
}
