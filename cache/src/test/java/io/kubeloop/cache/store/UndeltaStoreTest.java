package io.kubeloop.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.fake.Thing;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** UD-01. */
class UndeltaStoreTest {

    private final List<String> pushed = new ArrayList<>();
    private final UndeltaStore<ObjectName, Thing> store = new UndeltaStore<>(
            Thing::objectName,
            Thing::version,
            content -> pushed.add(
                    new TreeSet<>(content.stream().map(Thing::toString).toList()).toString()));

    @Test
    void write_ofAnyKind_pushesTheWholeContent_UD01() {
        store.add(Thing.of("n/a", "1"));
        store.update(Thing.of("n/a", "2"));
        store.add(Thing.of("n/b", "3"));
        store.delete(Thing.of("n/a", "4"));
        store.delete(Thing.of("n/absent", "5"));
        store.replace(List.of(Thing.of("n/c", "6"), Thing.of("n/d", "7")), "8");
        assertThat(pushed)
                .containsExactly("[n/a@1]", "[n/a@2]", "[n/a@2, n/b@3]", "[n/b@3]", "[n/b@3]", "[n/c@6, n/d@7]");
        assertThat(store.resourceVersion()).isEqualTo("8");
    }

    @Test
    void read_pushesNothing_UD01() {
        store.add(Thing.of("n/a", "1"));
        pushed.clear();
        assertThat(store.list()).hasSize(1);
        assertThat(store.listKeys()).containsExactly(ObjectName.parse("n/a"));
        assertThat(store.get(Thing.of("n/a", "9"))).hasToString("n/a@1");
        assertThat(store.getByKey(ObjectName.parse("n/a"))).hasToString("n/a@1");
        assertThat(store.getByKey(ObjectName.parse("n/b"))).isNull();
        assertThat(store.size()).isEqualTo(1);
        assertThat(pushed).isEmpty();
    }
}
