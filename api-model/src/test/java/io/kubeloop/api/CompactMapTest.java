/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CompactMapTest {

    private static Map<String, String> source(int entries) {
        Map<String, String> source = new LinkedHashMap<>();
        for (int i = entries; i > 0; i--) {
            source.put("key-" + i, "value-" + i);
        }
        return source;
    }

    @Test
    void map_ofAnySize_equalsItsSourceAndKeepsTheOrder() {
        for (int entries = 0; entries <= CompactMap.MAX_ENTRIES + 2; entries++) {
            Map<String, String> source = source(entries);
            Map<String, String> map = Values.orEmpty(source);
            assertThat(map).isEqualTo(source).hasSameHashCodeAs(source);
            assertThat(List.copyOf(map.keySet())).isEqualTo(List.copyOf(source.keySet()));
            assertThat(map.get("key-1")).isEqualTo(source.get("key-1"));
            assertThat(map.containsKey("other")).isFalse();
            assertThat(map.get(null)).isNull();
        }
    }

    @Test
    void map_writtenTo_refuses() {
        for (int entries : new int[] {1, 2, CompactMap.MAX_ENTRIES + 1}) {
            Map<String, String> map = Values.orEmpty(source(entries));
            assertThatThrownBy(() -> map.put("a", "b")).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(map::clear).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void map_sourceChangedLater_isNotAffected() {
        Map<String, String> source = source(2);
        Map<String, String> map = Values.orEmpty(source);
        source.clear();
        assertThat(map).hasSize(2);
    }

    @Test
    void map_nullValue_isRefused() {
        Map<String, String> source = new LinkedHashMap<>();
        source.put("a", null);
        assertThatThrownBy(() -> Values.orEmpty(source)).hasMessageContaining("a=null");
    }

    @Test
    void map_copiedByABuilder_isNotCopiedAgain() {
        ObjectMeta meta = ObjectMetaBuilder.builder().labels(source(3)).build();
        assertThat(ObjectMetaBuilder.builder(meta).name("other").build().labels())
                .isSameAs(meta.labels());
    }
}
