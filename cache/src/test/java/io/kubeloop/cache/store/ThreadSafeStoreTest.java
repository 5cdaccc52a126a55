/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.IndexException;
import io.kubeloop.cache.Indexers;
import io.kubeloop.cache.fake.Thing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Behavior that the recorded vectors do not cover; those are in StoreIndexVectorsTest. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThreadSafeStoreTest {

    private final ThreadSafeStore<ObjectName, Thing> store = new ThreadSafeStore<>(Thing::objectName, Thing::version);

    @Test
    void addIndexers_onFilledStore_indexesWhatIsThere() {
        // IX-07: upstream refused this until 0.30.
        store.add(Thing.of("n/a", "1"));
        store.addIndexers(Map.of(Indexers.NAMESPACE, Indexers::byNamespace));
        store.add(Thing.of("n/b", "2"));
        assertThat(store.indexKeys(Indexers.NAMESPACE, "n"))
                .containsExactly(new ObjectName("n", "a"), new ObjectName("n", "b"));
    }

    @Test
    void resourceVersion_followsTheLastWrite() {
        // RV-01, RV-03
        assertThat(store.resourceVersion()).isEmpty();
        store.add(Thing.of("n/a", "7"));
        assertThat(store.resourceVersion()).isEqualTo("7");
        store.delete(Thing.of("n/absent", "9"));
        assertThat(store.resourceVersion()).isEqualTo("9");
        store.update(Thing.of("n/a", "3"));
        assertThat(store.resourceVersion()).isEqualTo("3");
        store.replace(List.of(Thing.of("n/b", "4")), "20");
        assertThat(store.resourceVersion()).isEqualTo("20");
        assertThat(store.list()).extracting(Thing::toString).containsExactly("n/b@4");
    }

    @Test
    void indexFunction_fails_objectIsStoredAndFoundAgainOnceItWorks() {
        // IX-02: upstream panics with the object stored and the index in doubt.
        AtomicBoolean broken = new AtomicBoolean();
        store.addIndexers(Map.of("value", thing -> {
            if (broken.get()) {
                throw new IllegalStateException("broken");
            }
            return List.of(thing.value());
        }));
        store.add(Thing.of("n/a", "1", "x"));
        broken.set(true);
        assertThatThrownBy(() -> store.add(Thing.of("n/a", "2", "y")))
                .isInstanceOf(IndexException.class)
                .hasMessageContaining("\"value\" failed on n/a");
        assertThat(store.getByKey(new ObjectName("n", "a")).version()).isEqualTo("2");
        assertThat(store.byIndex("value", "x")).isEmpty();
        assertThat(store.indexValues("value")).isEmpty();
        broken.set(false);
        store.add(Thing.of("n/a", "3", "z"));
        assertThat(store.byIndex("value", "z")).hasSize(1);
        assertThat(store.indexValues("value")).containsExactly("z");
    }

    @Test
    void list_whileOneWriterMovesAnObjectBetweenKeys_isOneSnapshot() throws Exception {
        // ST-04, ST-07: at every moment there is one of the two, under the index too; never both, never none.
        store.addIndexers(Map.of("all", thing -> List.of("all")));
        store.add(Thing.of("n/a", "0"));
        AtomicBoolean stop = new AtomicBoolean();
        CountDownLatch reading = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<?> writer = executor.submit(() -> {
                reading.await();
                for (int i = 0; !stop.get(); i++) {
                    boolean aIsThere = i % 2 == 0;
                    Thing other = Thing.of(aIsThere ? "n/b" : "n/a", String.valueOf(i));
                    if (i % 4 < 2) {
                        store.replace(List.of(other), "");
                    } else {
                        StoreTransaction<ObjectName, Thing> transaction = store.change();
                        transaction.remove(ObjectName.parse(aIsThere ? "n/a" : "n/b"));
                        transaction.put(other.objectName(), other);
                        assertThat(store.tryCommit(transaction)).isTrue();
                    }
                }
                return null;
            });
            for (int i = 0; i < 20_000; i++) {
                reading.countDown();
                assertThat(store.list().size()).isEqualTo(1);
                assertThat(store.byIndex("all", "all").size()).isEqualTo(1);
            }
            stop.set(true);
            writer.get(20, TimeUnit.SECONDS);
        } finally {
            stop.set(true);
            executor.shutdownNow();
        }
    }

    @Test
    void addIndexers_whileAnotherThreadWrites_losesNothing() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<?> writer = executor.submit(() -> {
                for (int i = 0; i < 5_000; i++) {
                    store.add(Thing.of("n/" + i, "1"));
                }
            });
            for (int i = 0; i < 20; i++) {
                store.addIndexers(Map.of("index" + i, Indexers::byNamespace));
            }
            writer.get(20, TimeUnit.SECONDS);
        } finally {
            executor.shutdownNow();
        }
        assertThat(store.size()).isEqualTo(5_000);
        for (int i = 0; i < 20; i++) {
            assertThat(store.byIndex("index" + i, "n")).hasSize(5_000);
        }
    }

    @Test
    void tryCommit_afterAnotherWrite_refuses() {
        StoreTransaction<ObjectName, Thing> transaction = store.change();
        transaction.put(new ObjectName("n", "a"), Thing.of("n/a", "1"));
        store.add(Thing.of("n/b", "2"));
        assertThat(store.tryCommit(transaction)).isFalse();
        assertThat(store.listKeys()).containsExactly(new ObjectName("n", "b"));
    }

    @Test
    void addIndexers_whileTheStoreIsWritten_looksOnlyAtWhatChanged() {
        for (int i = 0; i < 1000; i++) {
            store.add(Thing.of("n/" + i, "1"));
        }
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger writes = new AtomicInteger();
        store.addIndexers(Map.of("calls", thing -> {
            calls.incrementAndGet();
            if (thing.objectName().name().equals("7") && writes.incrementAndGet() <= 50) {
                store.add(Thing.of("n/7", String.valueOf(writes.get() + 1))); // Another thread writes first, each time.
                store.add(Thing.of("new/" + writes.get(), "1"));
                store.delete(Thing.of("n/" + (100 + writes.get()), "1"));
            }
            return List.of(thing.objectName().namespace());
        }));
        assertThat(writes.get()).isGreaterThan(50);
        assertThat(calls.get()).isLessThan(1000 + 50 * 10);
        assertThat(store.byIndex("calls", "n")).hasSize(950).contains(store.getByKey(new ObjectName("n", "7")));
        assertThat(store.byIndex("calls", "new")).hasSize(50);
    }

    @Test
    void addIndexers_ofANameThatIsTakenMeanwhile_refuses() {
        store.add(Thing.of("n/a", "1"));
        List<Throwable> refused = new ArrayList<>();
        store.addIndexers(Map.of("by", thing -> {
            refused.add(catchThrowable(() -> store.addIndexers(Map.of("by", Indexers::byNamespace))));
            return List.of("first");
        }));
        assertThat(refused).singleElement().asString().contains("\"by\" is taken");
        assertThat(store.indexValues("by")).containsExactly("first");
    }
}
