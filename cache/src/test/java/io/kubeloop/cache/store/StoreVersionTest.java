/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.IndexException;
import io.kubeloop.cache.Indexers;
import io.kubeloop.cache.fake.Thing;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Versions of a store, and values of its indices: RV-01, RV-02, IX-09. */
class StoreVersionTest {

    private final ThreadSafeStore<ObjectName, Thing> store = new ThreadSafeStore<>(Thing::objectName, Thing::version);

    @Test
    void version_ofAnObjectThatHasNone_leavesTheStores_anEmptyOneSetsIt_RV02() {
        ThreadSafeStore<String, String> plain = new ThreadSafeStore<>(
                text -> text.substring(0, 1), text -> text.length() == 1 ? null : text.substring(1));
        plain.add("a7");
        assertThat(plain.resourceVersion()).isEqualTo("7");
        plain.add("b");
        plain.delete("a");
        assertThat(plain.resourceVersion()).isEqualTo("7");
        ThreadSafeStore<ObjectName, Thing> versioned = new ThreadSafeStore<>(Thing::objectName, Thing::version);
        versioned.add(Thing.of("n/a", "7"));
        versioned.add(Thing.of("n/b", ""));
        assertThat(versioned.resourceVersion()).isEmpty();
    }

    @Test
    void bookmark_setsTheVersionAndNothingElse_RV01() {
        // CT-10
        store.add(Thing.of("n/a", "1"));
        store.bookmark("42");
        assertThat(store.resourceVersion()).isEqualTo("42");
        assertThat(store.list()).hasSize(1);
    }

    @Test
    void asKey_needsExactlyOneValue_IX09() {
        assertThat(Indexers.<Thing>asKey(Indexers::byNamespace).apply(Thing.of("n/a", "1")))
                .isEqualTo("n");
        assertThatThrownBy(() -> Indexers.<Thing>asKey(thing -> List.of()).apply(Thing.of("n/a", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("[]");
        assertThatThrownBy(
                        () -> Indexers.<Thing>asKey(thing -> List.of("x", "y")).apply(Thing.of("n/a", "1")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void valuesOf_saysWhatTheIndexFunctionSays() {
        store.addIndexers(Map.of("value", thing -> {
            if (thing.value().equals("bad")) {
                throw new IllegalStateException("unfit");
            }
            return List.of(thing.value());
        }));
        assertThat(store.valuesOf("value", Thing.of("n/a", "1", "x"))).containsExactly("x");
        assertThatThrownBy(() -> store.valuesOf("value", Thing.of("n/a", "1", "bad")))
                .isInstanceOf(IndexException.class)
                .hasMessage("index \"value\" failed: unfit");
        assertThatThrownBy(() -> store.valuesOf("absent", Thing.of("n/a", "1")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
