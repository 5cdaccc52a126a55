package io.kubeloop.cache.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.IndexException;
import io.kubeloop.cache.Indexers;
import io.kubeloop.cache.KeyException;
import io.kubeloop.cache.fake.Thing;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Transactions, transforms and versions of a store: ST-08, ST-09, RV-01, RV-02, IX-09. */
class StoreTransactTest {

    private static ObjectName keyOf(Thing thing) {
        if (thing.value().equals("keyless")) {
            throw new IllegalStateException("no key: " + thing);
        }
        return thing.objectName();
    }

    private final ThreadSafeStore<ObjectName, Thing> store =
            new ThreadSafeStore<>(StoreTransactTest::keyOf, Thing::version, thing -> {
                if (thing.value().equals("bad")) {
                    throw new IllegalArgumentException("cannot transform " + thing);
                }
                return Thing.of(thing.key(), thing.version(), thing.value() + "!");
            });

    @Test
    void transact_doesAllInOrder_andFollowsTheLastVersion_ST09_RV01() {
        store.addIndexers(Map.of("value", thing -> List.of(thing.value())));
        store.transact(List.of(
                new StoreChange.Put<>(Thing.of("n/a", "1", "x")),
                new StoreChange.Put<>(Thing.of("n/b", "2", "x")),
                new StoreChange.Put<>(Thing.of("n/a", "3", "y")),
                new StoreChange.Remove<>(Thing.of("n/b", "4"))));
        assertThat(store.list()).extracting(Thing::toString).containsExactly("n/a@3=y");
        assertThat(store.byIndex("value", "y")).hasSize(1);
        assertThat(store.indexValues("value")).containsExactly("y");
        assertThat(store.resourceVersion()).as("that of the last change").isEqualTo("4");
    }

    @Test
    void transact_someWithoutKeys_doesTheOthersAndSaysWhich_ST09() {
        // TestCacheTransactionShouldIndexErrors
        StoreTransactionException e = catchThrowableOfType(
                StoreTransactionException.class,
                () -> store.transact(List.of(
                        new StoreChange.Put<>(Thing.of("n/a", "1")),
                        new StoreChange.Put<>(Thing.of("n/b", "2", "keyless")),
                        new StoreChange.Put<>(Thing.of("n/c", "3")),
                        new StoreChange.Remove<>(Thing.of("n/d", "4", "keyless")))));
        assertThat(e.successful()).containsExactly(0, 2);
        assertThat(e).hasMessage("2 of 4 changes were made: no key: n/b@2=keyless");
        assertThat(e.getCause()).isInstanceOf(KeyException.class);
        assertThat(e.getSuppressed()).hasSize(1);
        assertThat(store.listKeys()).containsExactlyInAnyOrder(ObjectName.parse("n/a"), ObjectName.parse("n/c"));
        assertThat(store.resourceVersion()).isEqualTo("3");
    }

    @Test
    void transact_noneWithAKey_changesNothing_ST09() {
        store.add(Thing.of("n/a", "1"));
        StoreTransactionException e = catchThrowableOfType(
                StoreTransactionException.class,
                () -> store.transact(List.of(new StoreChange.Put<>(Thing.of("n/b", "2", "keyless")))));
        assertThat(e.successful()).isEmpty();
        store.transact(List.of());
        assertThat(store.list()).hasToString("[n/a@1=!]");
        assertThat(store.resourceVersion()).isEqualTo("1");
    }

    @Test
    void transform_onAddUpdateReplace_notOnTransactionsNorDeletions_ST08() {
        // TestCacheWithTransformer
        store.add(Thing.of("n/a", "1", "x"));
        store.update(Thing.of("n/b", "2", "x"));
        assertThat(store.list()).extracting(Thing::toString).containsExactlyInAnyOrder("n/a@1=x!", "n/b@2=x!");
        store.replace(List.of(Thing.of("n/c", "3", "x")), "4");
        assertThat(store.list()).extracting(Thing::toString).containsExactly("n/c@3=x!");
        store.transact(List.of(new StoreChange.Put<>(Thing.of("n/d", "5", "x"))));
        assertThat(store.getByKey(ObjectName.parse("n/d"))).hasToString("n/d@5=x");
        store.delete(Thing.of("n/c", "6", "bad"));
        assertThat(store.size()).isEqualTo(1);
    }

    @Test
    void transform_fails_callHasChangedNothing_ST08() {
        store.add(Thing.of("n/a", "1", "x"));
        assertThatThrownBy(() -> store.add(Thing.of("n/b", "2", "bad"))).hasMessage("cannot transform n/b@2=bad");
        assertThatThrownBy(() -> store.update(Thing.of("n/a", "2", "bad")))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.replace(List.of(Thing.of("n/c", "2"), Thing.of("n/d", "2", "bad")), "9"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(store.list()).hasToString("[n/a@1=x!]");
        assertThat(store.resourceVersion()).isEqualTo("1");
    }

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
        store.add(Thing.of("n/a", "1", "x"));
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
