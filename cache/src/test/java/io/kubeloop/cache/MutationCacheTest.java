/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.cache.fake.FakeServer;
import io.kubeloop.cache.fake.Patience;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.cache.store.ThreadSafeStore;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** MC-01 to MC-03. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MutationCacheTest {

    private static final ObjectName A = ObjectName.parse("n/a");
    private static final Duration TTL = Duration.ofMinutes(5);

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ThreadSafeStore<ObjectName, Thing> store = new ThreadSafeStore<>(Thing::objectName, Thing::version);
    private final MutationCache<Thing> cache = new MutationCache<>(store, false, TTL, 3, scheduler::nanoTime);
    private final MutationCache<Thing> withAdds = new MutationCache<>(store, true, TTL, 3, scheduler::nanoTime);

    private static Thing thing(String key, String uid, String version, String value) {
        ObjectName name = ObjectName.parse(key);
        return new Thing(
                ObjectMetaBuilder.builder()
                        .namespace(name.namespace())
                        .name(name.name())
                        .uid(uid)
                        .resourceVersion(version)
                        .build(),
                value,
                UnknownFields.NONE);
    }

    private static DeletedObject<Thing> deleted(Thing last) {
        return new DeletedObject.Observed<>(last.objectName(), last);
    }

    @Test
    void getByKey_returnsTheNewerOfStoredAndWritten_MC01() {
        store.add(Thing.of("n/a", "9"));
        assertThat(cache.getByKey(A)).hasToString("n/a@9");
        cache.mutation(Thing.of("n/a", "10"));
        assertThat(cache.getByKey(A)).as("10 is more than 9, as a number").hasToString("n/a@10");
        store.add(Thing.of("n/a", "11"));
        assertThat(cache.getByKey(A)).hasToString("n/a@11");
    }

    @Test
    void entry_notNewerThanTheStored_isDroppedByTheRead_MC01() {
        cache.mutation(Thing.of("n/a", "10", "written"));
        store.add(Thing.of("n/a", "10", "stored"));
        assertThat(cache.getByKey(A)).as("the same version: the store's").hasToString("n/a@10=stored");
        store.replace(List.of(Thing.of("n/a", "5")), "5");
        assertThat(cache.getByKey(A))
                .as("it is gone even if the store goes back")
                .hasToString("n/a@5");
    }

    @Test
    void mutation_olderThanTheOneBefore_isIgnored() {
        store.add(Thing.of("n/a", "1"));
        cache.mutation(Thing.of("n/a", "12"));
        cache.mutation(Thing.of("n/a", "11"));
        assertThat(cache.getByKey(A)).hasToString("n/a@12");
        cache.mutation(Thing.of("n/a", "100"));
        assertThat(cache.getByKey(A)).hasToString("n/a@100");
    }

    @Test
    void mutation_withoutAVersionThatCanBeCompared_isNotShown() {
        store.add(Thing.of("n/a", "1"));
        for (String none : List.of("", "abc", "01", "1a", "-5")) {
            cache.mutation(Thing.of("n/a", none));
            assertThat(cache.getByKey(A)).as("version \"%s\"", none).hasToString("n/a@1");
        }
    }

    @Test
    void getByKey_missingInTheStore_isMissing_unlessAddsAreIncluded_MC02() {
        cache.mutation(Thing.of("n/a", "10"));
        withAdds.mutation(Thing.of("n/a", "10"));
        assertThat(cache.getByKey(A)).isNull();
        assertThat(withAdds.getByKey(A)).hasToString("n/a@10");
        store.add(Thing.of("n/a", "9"));
        assertThat(cache.getByKey(A)).as("remembered all the while").hasToString("n/a@10");
    }

    @Test
    void entry_olderThanItsTime_isForgotten_MC01() {
        withAdds.mutation(Thing.of("n/a", "10"));
        scheduler.advance(TTL);
        assertThat(withAdds.getByKey(A)).hasToString("n/a@10");
        scheduler.advance(Duration.ofNanos(1));
        assertThat(withAdds.getByKey(A)).isNull();
    }

    @Test
    void overlay_full_forgetsTheOneNotUsedForLongest_MC01() {
        withAdds.mutation(Thing.of("n/a", "1"));
        withAdds.mutation(Thing.of("n/b", "2"));
        withAdds.mutation(Thing.of("n/c", "3"));
        assertThat(withAdds.getByKey(A)).as("used again").isNotNull();
        withAdds.mutation(Thing.of("n/d", "4"));
        assertThat(withAdds.getByKey(ObjectName.parse("n/b"))).isNull();
        assertThat(withAdds.getByKey(A)).isNotNull();
        assertThat(withAdds.getByKey(ObjectName.parse("n/d"))).isNotNull();
    }

    @Test
    void byIndex_showsNewerStates_underTheirOwnValues_MC02() {
        store.addIndexers(Map.of("value", thing -> List.of(thing.value())));
        store.add(Thing.of("n/stays", "1", "x"));
        store.add(Thing.of("n/leaves", "1", "x"));
        store.add(Thing.of("n/comes", "1", "y"));
        for (MutationCache<Thing> both : List.of(cache, withAdds)) {
            both.mutation(Thing.of("n/stays", "5", "x"));
            both.mutation(Thing.of("n/leaves", "5", "y"));
            both.mutation(Thing.of("n/comes", "5", "x"));
        }
        assertThat(cache.byIndex("value", "x"))
                .extracting(Thing::toString)
                .containsExactlyInAnyOrder("n/stays@5=x", "n/comes@5=x");
        assertThat(withAdds.byIndex("value", "y")).extracting(Thing::toString).containsExactly("n/leaves@5=y");
    }

    /** Returns the store, into which another thread writes after each read of an index. */
    @SuppressWarnings("unchecked")
    private Indexer<ObjectName, Thing> writtenAfterByIndex(Runnable write) {
        return (Indexer<ObjectName, Thing>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Indexer.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(store, arguments);
                    if (method.getName().equals("byIndex")) {
                        write.run();
                    }
                    return answer;
                });
    }

    @Test
    void byIndex_storeIsWrittenMeanwhile_showsTheLaterState_MC02() {
        store.addIndexers(Map.of("value", thing -> List.of(thing.value())));
        Runnable[] write = new Runnable[1];
        MutationCache<Thing> raced =
                new MutationCache<>(writtenAfterByIndex(() -> write[0].run()), false, TTL, 3, scheduler::nanoTime);
        store.add(Thing.of("n/moved", "1", "x"));
        store.add(Thing.of("n/came", "2", "x"));
        store.add(Thing.of("n/gone", "3", "y"));
        raced.mutation(Thing.of("n/moved", "10", "y"));
        raced.mutation(Thing.of("n/came", "11", "y"));
        raced.mutation(Thing.of("n/gone", "12", "y"));
        write[0] = () -> {
            store.update(Thing.of("n/moved", "20", "y"));
            store.update(Thing.of("n/came", "11", "y"));
            store.delete(Thing.of("n/gone", "21"));
        };
        assertThat(raced.byIndex("value", "y"))
                .as("the index did not have the first two, and had the last")
                .extracting(Thing::toString)
                .containsExactlyInAnyOrder("n/moved@20=y", "n/came@11=y");
    }

    @Test
    void byIndex_objectsNotStored_onlyIfAddsAreIncluded_MC02() {
        store.addIndexers(Map.of("value", thing -> List.of(thing.value())));
        cache.mutation(Thing.of("n/new", "5", "x"));
        withAdds.mutation(Thing.of("n/new", "5", "x"));
        assertThat(cache.byIndex("value", "x")).isEmpty();
        assertThat(withAdds.byIndex("value", "x")).extracting(Thing::toString).containsExactly("n/new@5=x");
        assertThat(withAdds.byIndex("value", "y")).isEmpty();
        assertThatThrownBy(() -> withAdds.byIndex("absent", "x")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void handler_dropsAnEntryThatIsNotNewer_MC03() {
        // TestMutationCacheOnAddOrUpdate
        for (int i = 0; i < 2; i++) {
            withAdds.mutation(Thing.of("n/a", "10"));
            tell(i, Thing.of("n/a", "9"));
            assertThat(withAdds.getByKey(A)).as("an older state says nothing").isNotNull();
            tell(i, Thing.of("n/a", "10"));
            assertThat(withAdds.getByKey(A)).as("caught up").isNull();
        }
    }

    private void tell(int how, Thing observed) {
        if (how == 0) {
            withAdds.onAdd(observed, false);
        } else {
            withAdds.onUpdate(observed, observed);
        }
    }

    @Test
    void onDelete_dropsByUidOrVersion_MC03() {
        // TestMutationCacheOnDelete
        withAdds.mutation(thing("n/a", "u1", "10", ""));
        withAdds.onDelete(deleted(thing("n/a", "u1", "4", "stale, but the same object")));
        assertThat(withAdds.getByKey(A)).isNull();

        withAdds.mutation(thing("n/a", "u2", "10", ""));
        withAdds.onDelete(deleted(thing("n/a", "u9", "10", "another object, but not before it")));
        assertThat(withAdds.getByKey(A)).isNull();
    }

    @Test
    void onDelete_ofTheObjectBefore_keepsTheOneCreatedSince_MC03() {
        // TestMutationCacheUpdateConcurrentRecreate
        withAdds.mutation(thing("n/a", "u2", "10", "recreated"));
        withAdds.onDelete(deleted(thing("n/a", "u1", "9", "")));
        assertThat(withAdds.getByKey(A)).hasToString("n/a@10=recreated");
    }

    @Test
    void onDelete_withoutAState_dropsWhatIsRemembered_MC03() {
        withAdds.mutation(thing("n/a", "u1", "10", ""));
        withAdds.onDelete(new DeletedFinalStateUnknown<>(A, null));
        assertThat(withAdds.getByKey(A)).isNull();
    }

    @Test
    void mutation_reportedAfterTheDeletion_isIgnored_andOfANewObjectIsNot_MC03() {
        // TestMutationCacheUpdateConcurrentDelete, TestMutationCacheOnDeleteClearsStaleMutation
        scheduler.advance(TTL);
        withAdds.onDelete(deleted(thing("n/a", "u1", "12", "")));
        scheduler.advance(TTL);
        withAdds.mutation(thing("n/a", "u1", "11", "late"));
        assertThat(withAdds.getByKey(A)).isNull();
        withAdds.mutation(thing("n/a", "u2", "13", "recreated"));
        assertThat(withAdds.getByKey(A)).hasToString("n/a@13=recreated");
        scheduler.advance(TTL.plusNanos(1));
        assertThat(withAdds.getByKey(A)).isNull();
        withAdds.mutation(thing("n/a", "u1", "11", "as late as can be"));
        assertThat(withAdds.getByKey(A))
                .as("deletions are not remembered for ever")
                .isNotNull();
    }

    @Test
    void onDelete_withoutUid_doesNotHideWhatIsCreatedLater_MC03() {
        withAdds.onDelete(deleted(thing("n/a", "", "12", "")));
        withAdds.mutation(thing("n/a", "", "13", "recreated"));
        assertThat(withAdds.getByKey(A)).isNotNull();
    }

    @Test
    void deletionsOfObjectsThatNobodyWrote_doNotPushOutWhatSomebodyDid_M1() {
        withAdds.mutation(thing("n/a", "u1", "10", ""));
        for (int i = 0; i < 50; i++) {
            withAdds.onDelete(deleted(thing("n/other" + i, "o" + i, "5", "")));
        }
        assertThat(withAdds.getByKey(A)).isNotNull();
    }

    @Test
    void over_anInformer_readsOwnWritesUntilTheWatchHasThem_andForgetsWhatIsDeleted() {
        FakeServer server = new FakeServer(1);
        server.getWell();
        server.put("n/a", "one");
        try (SharedInformer<Thing> informer =
                SharedInformers.informer(Thing.TYPE, server, InformerConfig.DEFAULT.withScheduler(scheduler))) {
            MutationCache<Thing> own = MutationCache.over(informer, true);
            informer.start();
            Patience.await().until(() -> own.getByKey(A) != null);
            server.hold(true);
            server.put("n/a", "two");
            own.mutation(Thing.of("n/a", String.valueOf(server.version()), "two"));
            assertThat(own.getByKey(A)).hasToString("n/a@3=two");
            assertThat(own.byIndex(Indexers.NAMESPACE, "n")).hasSize(1);
            assertThat(informer.lister().get(A)).as("the past").hasToString("n/a@2=one");
            server.delete("n/a");
            server.hold(false);
            Patience.await().until(() -> own.getByKey(A) == null);
        }
    }

    @Test
    void limits_thatMakeNoSense_areRefused() {
        assertThatThrownBy(() -> new MutationCache<>(store, false, Duration.ZERO, 1, scheduler::nanoTime))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new MutationCache<>(store, false, Duration.ofSeconds(-1), 1, scheduler::nanoTime))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new MutationCache<>(store, false, TTL, 0, scheduler::nanoTime))
                .isInstanceOf(IllegalArgumentException.class);
        new MutationCache<>(store, true).mutation(Thing.of("n/a", "1"));
    }

    @Test
    void reader_whileTheStoreCatchesUp_isNeverShownAnOlderState_M2() throws Exception {
        int rounds = 2_000;
        ExecutorService executor = Executors.newFixedThreadPool(3);
        try {
            store.add(Thing.of("n/a", "1"));
            CountDownLatch begin = new CountDownLatch(1);
            Future<?> writer = executor.submit(() -> {
                begin.await();
                for (int version = 2; version < rounds; version++) {
                    Thing written = Thing.of("n/a", String.valueOf(version));
                    cache.mutation(written);
                    assertThat(Integer.parseInt(cache.getByKey(A).version())).isGreaterThanOrEqualTo(version);
                    store.add(written);
                    cache.onUpdate(written, written);
                    assertThat(Integer.parseInt(cache.getByKey(A).version())).isGreaterThanOrEqualTo(version);
                }
                return null;
            });
            List<Future<?>> readers = List.of(executor.submit(() -> read(begin, rounds)), executor.submit(() -> {
                read(begin, rounds);
            }));
            writer.get(30, TimeUnit.SECONDS);
            for (Future<?> reader : readers) {
                reader.get(30, TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private void read(CountDownLatch begin, int rounds) {
        begin.countDown();
        int last = 0;
        while (last < rounds - 1) {
            int now = Integer.parseInt(cache.getByKey(A).version());
            assertThat(now).isGreaterThanOrEqualTo(last);
            last = now;
        }
    }
}
