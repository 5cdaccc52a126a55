/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.core.ConfigMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FinalizersTest {

    private static final String OURS = "example.com/ours";

    private static ConfigMap map(String... finalizers) {
        return ConfigMap.of(
                ObjectMetaBuilder.builder(ObjectMeta.named("default", "m"))
                        .finalizers(List.of(finalizers))
                        .build(),
                Map.of());
    }

    @Test
    void add_keepsOthersAndTheirOrder() {
        ConfigMap added = Finalizers.add(map("b", "a"), OURS);
        assertThat(added.metadata().finalizers()).containsExactly("b", "a", OURS);
        assertThat(Finalizers.has(added, OURS)).isTrue();
        assertThat(Finalizers.add(added, OURS)).isSameAs(added);
    }

    @Test
    void remove_keepsOthersAndTheirOrder() {
        ConfigMap removed = Finalizers.remove(map("b", OURS, "a", OURS), OURS);
        assertThat(removed.metadata().finalizers()).containsExactly("b", "a");
        assertThat(Finalizers.has(removed, OURS)).isFalse();
        assertThat(Finalizers.remove(removed, OURS)).isSameAs(removed);
    }
}
