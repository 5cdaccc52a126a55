/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.codec.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CompactItemStoreTest {

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .addToData("key", value)
                .build();
    }

    /** The default store of fabric8 is the specification; one decoded object makes nearly every read decode. */
    @Test
    void anyHistory_equalsTheDefaultStore() {
        for (int decoded : new int[] {1, 128}) {
            ItemStore<ConfigMap> expected = new BasicItemStore<>(Cache::metaNamespaceKeyFunc);
            ItemStore<ConfigMap> store = new CompactItemStore<>(ConfigMap.class, decoded);
            Random random = new Random(decoded);
            for (int i = 0; i < 500; i++) {
                ConfigMap map = map(
                        "m" + random.nextInt(20),
                        Integer.toHexString(random.nextInt()).repeat(i % 50));
                String key = store.getKey(map);
                assertThat(key).isEqualTo(expected.getKey(map));
                switch (random.nextInt(3)) {
                    case 0 -> assertThat(store.put(key, map)).isEqualTo(expected.put(key, map));
                    case 1 -> assertThat(store.get(key)).isEqualTo(expected.get(key));
                    default -> assertThat(store.remove(key)).isEqualTo(expected.remove(key));
                }
                assertThat(store.size()).isEqualTo(expected.size());
            }
            assertThat(store.isFullState()).isEqualTo(expected.isFullState());
            assertThat(store.keySet().collect(Collectors.toSet()))
                    .isEqualTo(expected.keySet().collect(Collectors.toSet()))
                    .isNotEmpty();
            Comparator<ConfigMap> byName =
                    Comparator.comparing(map -> map.getMetadata().getName());
            assertThat(store.values().sorted(byName))
                    .containsExactlyElementsOf(expected.values().sorted(byName).toList());
        }
    }

    /** Random letters hardly compress, and a document may be longer than the reach of the compression. */
    @Test
    void longObjects_areReadBack() {
        ItemStore<ConfigMap> store = new CompactItemStore<>(ConfigMap.class, 1);
        Random random = new Random(7);
        for (int i = 0; i < 20; i++) {
            String letters = random.ints(5_000L * i, 'a', 0x3000)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            store.put("default/m" + i, map("m" + i, letters));
            store.put("default/other", map("other", ""));
            assertThat(store.get("default/m" + i)).isEqualTo(map("m" + i, letters));
        }
    }

    @Test
    void newerObject_replacesTheDecodedOne() {
        ItemStore<ConfigMap> store = new CompactItemStore<>(ConfigMap.class);
        store.put("default/a", map("a", "1"));
        ConfigMap read = store.get("default/a");
        assertThat(store.get("default/a")).isSameAs(read);
        store.put("default/a", map("a", "2"));
        assertThat(store.get("default/a")).isEqualTo(map("a", "2"));
    }

    @Test
    void objectOfAnotherClass_isRefused() {
        class Other extends ConfigMap {}
        ItemStore<ConfigMap> store = new CompactItemStore<>(ConfigMap.class);
        assertThatThrownBy(() -> store.put("default/a", new Other()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("in a store of " + ConfigMap.class.getName());
        assertThatThrownBy(() -> new CompactItemStore<>(ConfigMap.class, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
