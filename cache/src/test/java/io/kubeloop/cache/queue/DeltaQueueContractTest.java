/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.KeyException;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.testing.HeapHistogram;
import io.kubeloop.testing.HeldLocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of every delta queue. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class DeltaQueueContractTest {

    final StoringConsumer consumer = new StoringConsumer();
    final DeltaQueue<ObjectName, Thing> queue = create(consumer);

    /** Returns an empty queue in front of the consumer's store. */
    abstract DeltaQueue<ObjectName, Thing> create(KnownObjects<ObjectName, Thing> known);

    /** Pops until nothing is left. */
    void drain() {
        while (queue.size() > 0) {
            assertThat(queue.pop(consumer)).isTrue();
        }
    }

    @Test
    void changesOfOneKey_comeOutInOrder_I1() {
        // DF-01
        queue.add(Thing.of("n/a", "1"));
        queue.update(Thing.of("n/a", "2"));
        queue.delete(Thing.of("n/a", "3"));
        queue.add(Thing.of("n/a", "4"));
        drain();
        assertThat(consumer.log).containsExactly("synced", "n/a@1", "n/a@2", "-n/a", "n/a@4");
    }

    @Test
    void keys_comeOutInTheOrderOfTheirFirstChange() {
        // DF-01
        queue.add(Thing.of("n/b", "1"));
        queue.add(Thing.of("n/a", "2"));
        queue.add(Thing.of("n/c", "3"));
        drain();
        assertThat(consumer.log).containsExactly("synced", "n/b@1", "n/a@2", "n/c@3");
    }

    @Test
    void hasSynced_firstList_onlyOnceItWasProcessed() {
        // DF-13, RF-14, DF-15, RF-13, RG-07
        assertThat(queue.hasSynced()).isFalse();
        queue.replace(List.of(Thing.of("n/a", "1"), Thing.of("n/b", "2")), "5");
        queue.add(Thing.of("n/c", "6"));
        AtomicReference<Boolean> during = new AtomicReference<>();
        StoringConsumer looking = new StoringConsumer() {
            @Override
            public void replacedAll(List<Thing> objects, String resourceVersion, boolean isInInitialList) {
                super.replacedAll(objects, resourceVersion, isInInitialList);
                during.compareAndSet(null, queue.hasSynced());
            }

            @Override
            public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
                super.deltas(deltas, isInInitialList);
                during.compareAndSet(null, queue.hasSynced());
            }
        };
        while (queue.size() > 0) {
            queue.pop(looking);
        }
        assertThat(during).hasValue(false);
        assertThat(queue.hasSynced()).isTrue();
        assertThat(looking.log).containsExactly("n/a@1 initial", "n/b@2 initial", "synced", "n/c@6");
        queue.replace(List.of(Thing.of("n/a", "9")), "9");
        assertThat(queue.hasSynced()).as("never goes back").isTrue();
        while (queue.size() > 0) {
            queue.pop(looking);
        }
        assertThat(looking.syncedCalls).isEqualTo(1);
        assertThat(looking.log).as("a later list is not initial").contains("n/a@9");
    }

    @Test
    void hasSynced_emptyFirstList_becomesTrue() {
        // DF-13, RF-13
        queue.replace(List.of(), "5");
        assertThat(queue.pop(consumer)).isTrue();
        assertThat(queue.hasSynced()).isTrue();
        assertThat(consumer.log).containsExactly("synced");
    }

    @Test
    void hasSynced_duplicateKeysInFirstList_becomesTrue() {
        queue.replace(List.of(Thing.of("n/a", "1"), Thing.of("n/a", "2")), "5");
        drain();
        assertThat(queue.hasSynced()).isTrue();
        assertThat(consumer.get(new ObjectName("n", "a")).version()).isEqualTo("2");
    }

    @Test
    void replace_lacksStoredObject_deletesItOnce_I2() {
        // DF-09
        queue.replace(List.of(Thing.of("n/a", "1"), Thing.of("n/b", "2")), "5");
        drain();
        consumer.log.clear();
        queue.replace(List.of(Thing.of("n/a", "1")), "6");
        queue.replace(List.of(Thing.of("n/a", "1")), "7");
        drain();
        assertThat(consumer.log).containsOnlyOnce("-n/b unseen");
        assertThat(consumer.keys()).containsExactly(new ObjectName("n", "a"));
    }

    @Test
    void replace_lacksObjectThatIsOnlyQueued_deletesItOnce_I2() {
        // DF-09
        queue.add(Thing.of("n/q", "1"));
        queue.replace(List.of(Thing.of("n/a", "2")), "5");
        drain();
        assertThat(consumer.log).containsOnlyOnce("-n/q unseen");
        assertThat(consumer.keys()).containsExactly(new ObjectName("n", "a"));
    }

    @Test
    void replace_lacksObjectWhoseDeletionIsQueued_deletesItOnce_I2() {
        // DF-11
        queue.add(Thing.of("n/a", "1"));
        drain();
        queue.delete(Thing.of("n/a", "2"));
        queue.replace(List.of(), "5");
        drain();
        assertThat(consumer.log).filteredOn(line -> line.startsWith("-n/a")).containsExactly("-n/a");
    }

    @Test
    void replace_whileTheObjectIsBeingProcessed_deletesItOnce_I2() throws Exception {
        queue.add(Thing.of("n/a", "1"));
        queue.pop(new StoringConsumer() {
            @Override
            public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
                onOtherThread(() -> queue.replace(List.of(), "5"));
                consumer.deltas(deltas, isInInitialList);
            }
        });
        drain();
        assertThat(consumer.log).containsExactly("n/a@1", "-n/a unseen");
        assertThat(consumer.keys()).isEmpty();
    }

    @Test
    void replace_whileTheDeletionIsBeingProcessed_deletesItOnce_I2() throws Exception {
        queue.add(Thing.of("n/a", "1"));
        drain();
        queue.delete(Thing.of("n/a", "2"));
        queue.pop(new StoringConsumer() {
            @Override
            public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
                onOtherThread(() -> queue.replace(List.of(), "5"));
                consumer.deltas(deltas, isInInitialList);
            }
        });
        drain();
        assertThat(consumer.log).containsExactly("synced", "n/a@1", "-n/a");
    }

    @Test
    void resync_whileANewerChangeIsQueuedOrInProcess_doesNotBringTheOldStateBack() {
        // DF-16
        queue.add(Thing.of("n/a", "1"));
        drain();
        queue.update(Thing.of("n/a", "2"));
        queue.resync();
        queue.pop(new StoringConsumer() {
            @Override
            public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
                onOtherThread(queue::resync);
                consumer.deltas(deltas, isInInitialList);
            }
        });
        drain();
        assertThat(consumer.get(new ObjectName("n", "a")).version()).isEqualTo("2");
        assertThat(consumer.log.subList(2, consumer.log.size())).containsOnly("n/a@2");
    }

    @Test
    void resync_showsStoredObjects() {
        // CT-09
        queue.replace(List.of(Thing.of("n/a", "1"), Thing.of("n/b", "2")), "5");
        drain();
        consumer.log.clear();
        queue.resync();
        drain();
        assertThat(consumer.log).containsExactlyInAnyOrder("n/a@1", "n/b@2");
    }

    @Test
    void pop_consumerThrows_exceptionComesOutAndTheChangeIsGone() {
        // DF-06
        queue.add(Thing.of("n/a", "1"));
        assertThatThrownBy(() -> queue.pop(new StoringConsumer() {
                    @Override
                    public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
                        throw new IllegalStateException("consumer");
                    }
                }))
                .hasMessage("consumer");
        assertThat(queue.size()).isZero();
        queue.add(Thing.of("n/a", "2"));
        drain();
        assertThat(consumer.log).containsExactly("n/a@2");
    }

    /** Fails on every object. */
    private static final class FailingConsumer extends StoringConsumer {
        @Override
        public void replacedAll(List<Thing> objects, String resourceVersion, boolean isInInitialList) {
            throw new StackOverflowError("scripted");
        }

        @Override
        public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
            throw new StackOverflowError("scripted");
        }
    }

    @Test
    void hasSynced_consumerThrewOnTheFirstList_onlyOnceTheNextListWasProcessed() {
        // DF-13
        FailingConsumer failing = new FailingConsumer();
        for (String version : List.of("5", "6")) {
            queue.replace(List.of(Thing.of("n/a", "1"), Thing.of("n/b", "2")), version);
            assertThatThrownBy(() -> queue.pop(failing)).isInstanceOf(StackOverflowError.class);
            assertThat(queue.size()).isZero();
            assertThat(queue.hasSynced()).as("nothing is stored").isFalse();
        }
        queue.add(Thing.of("n/c", "7"));
        drain();
        assertThat(queue.hasSynced())
                .as("a change alone does not make up for it")
                .isFalse();
        queue.replace(List.of(Thing.of("n/a", "1"), Thing.of("n/b", "2")), "8");
        queue.add(Thing.of("n/d", "9"));
        drain();
        assertThat(queue.hasSynced()).isTrue();
        assertThat(failing.syncedCalls).isZero();
        assertThat(consumer.log)
                .as("a list is told in no particular order")
                .startsWith("n/c@7 initial")
                .containsOnlyOnce("-n/c unseen", "n/a@1 initial", "n/b@2 initial")
                .endsWith("synced", "n/d@9")
                .hasSize(6);
        assertThat(consumer.syncedCalls).isEqualTo(1);
    }

    @Test
    void hasSynced_nextListCameWhileAChangeWasProcessed_onlyOnceThatListWas() {
        queue.replace(List.of(Thing.of("n/a", "1")), "5");
        assertThatThrownBy(() -> queue.pop(new FailingConsumer())).isInstanceOf(StackOverflowError.class);
        queue.add(Thing.of("n/a", "6"));
        queue.pop(new StoringConsumer() {
            @Override
            public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
                onOtherThread(() -> queue.replace(List.of(Thing.of("n/a", "6"), Thing.of("n/b", "2")), "6"));
                consumer.deltas(deltas, isInInitialList);
            }
        });
        assertThat(queue.hasSynced()).isFalse();
        drain();
        assertThat(queue.hasSynced()).isTrue();
        assertThat(consumer.log).endsWith("n/b@2 initial", "synced");
        assertThat(consumer.syncedCalls).isEqualTo(1);
    }

    @Test
    void hasSynced_nextListIsEmpty_becomesTrue() {
        queue.replace(List.of(Thing.of("n/a", "1")), "5");
        assertThatThrownBy(() -> queue.pop(new FailingConsumer())).isInstanceOf(StackOverflowError.class);
        queue.replace(List.of(), "6");
        assertThat(queue.pop(consumer)).isTrue();
        assertThat(queue.hasSynced()).isTrue();
        assertThat(consumer.log).containsExactly("synced");
    }

    @Test
    void synced_consumerThrew_isToldAgainByTheNextPop() {
        StoringConsumer failing = new StoringConsumer() {
            @Override
            public void synced() {
                super.synced();
                if (syncedCalls < 3) {
                    throw new IllegalStateException("scripted");
                }
            }
        };
        queue.replace(List.of(Thing.of("n/a", "1")), "5");
        assertThatThrownBy(() -> queue.pop(failing)).hasMessage("scripted");
        queue.add(Thing.of("n/b", "6"));
        assertThatThrownBy(() -> queue.pop(failing)).as("before the changes").hasMessage("scripted");
        queue.add(Thing.of("n/c", "7"));
        queue.add(Thing.of("n/d", "8"));
        while (queue.size() > 0) {
            queue.pop(failing);
        }
        assertThat(failing.syncedCalls).isEqualTo(3);
        assertThat(queue.hasSynced()).isTrue();
        assertThat(failing.log).endsWith("synced", "n/c@7", "n/d@8");
    }

    @Test
    void size_countsWhatIsProcessedAndWhatWaits() {
        List<Integer> sizes = new ArrayList<>();
        queue.add(Thing.of("n/a", "1"));
        queue.pop(new StoringConsumer() {
            @Override
            public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
                sizes.add(queue.size());
                onOtherThread(() -> queue.add(Thing.of("n/b", "2")));
                onOtherThread(() -> queue.add(Thing.of("n/c", "3")));
                sizes.add(queue.size());
            }
        });
        sizes.add(queue.size());
        assertThat(sizes).containsExactly(1, 3, 2);
    }

    /** A thread that keeps a lock would not notice it; all other threads would wait indefinitely. */
    @Test
    void everyCall_leavesNoLock() {
        Thing withoutKey = null;
        List<Runnable> calls = List.of(
                () -> assertThatThrownBy(() -> queue.add(withoutKey)).isInstanceOf(KeyException.class),
                () -> queue.replace(List.of(Thing.of("n/a", "1"), Thing.of("n/b", "2")), "5"),
                () -> queue.add(Thing.of("n/c", "6")),
                () -> queue.update(Thing.of("n/c", "7")),
                () -> queue.delete(Thing.of("n/c", "8")),
                () -> queue.bookmark("9"),
                queue::resync,
                queue::size,
                queue::hasSynced,
                this::drain,
                () -> queue.add(Thing.of("n/d", "10")),
                () -> assertThatThrownBy(() -> queue.pop(new FailingConsumer())).isInstanceOf(StackOverflowError.class),
                queue::isClosed,
                queue::close,
                queue::isClosed,
                () -> queue.pop(consumer));
        List<String> before = HeldLocks.ofCurrentThread();
        for (Runnable call : calls) {
            call.run();
            assertThat(HeldLocks.ofCurrentThread()).isEqualTo(before);
        }
    }

    @Test
    void add_objectWithoutKey_isRefused() {
        // KEY-03, RF-04
        queue.add(Thing.of("n/a", "1"));
        assertThatThrownBy(() -> queue.update(null)).isInstanceOf(KeyException.class);
        List<Thing> broken = new ArrayList<>();
        broken.add(null);
        assertThatThrownBy(() -> queue.replace(broken, "5")).isInstanceOf(KeyException.class);
        drain();
        assertThat(consumer.log).containsExactly("synced", "n/a@1");
    }

    @Test
    void close_handsOutTheRestThenEnds() {
        // DF-07, RF-15
        queue.add(Thing.of("n/a", "1"));
        queue.close();
        queue.add(Thing.of("n/b", "2"));
        assertThat(queue.isClosed()).isTrue();
        drain();
        assertThat(queue.pop(consumer)).isFalse();
        assertThat(consumer.log).containsExactly("synced", "n/a@1", "n/b@2");
    }

    @Test
    void pop_empty_waitsForAChangeOrTheEnd() throws Exception {
        // DF-06, DF-07, RF-15
        AtomicReference<Thread> popping = new AtomicReference<>();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<Boolean> first = executor.submit(() -> {
                popping.set(Thread.currentThread());
                return queue.pop(consumer);
            });
            await().until(() -> popping.get() != null && popping.get().getState() == Thread.State.WAITING);
            queue.add(Thing.of("n/a", "1"));
            assertThat(first.get(20, TimeUnit.SECONDS)).isTrue();
            Future<Boolean> second = executor.submit(() -> queue.pop(consumer));
            await().until(() -> popping.get().getState() == Thread.State.WAITING);
            queue.close();
            assertThat(second.get(20, TimeUnit.SECONDS)).isFalse();
        } finally {
            executor.shutdownNow();
        }
    }

    /** A random history of a server with lists in between, produced and consumed at the same time. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void histories_atRandom_endInTheServersState(long seed) throws Exception {
        Random random = new Random(seed);
        Map<ObjectName, Thing> server = new TreeMap<>();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            Future<?> consuming = executor.submit(() -> {
                boolean more = true;
                while (more) {
                    more = queue.pop(consumer);
                }
            });
            queue.replace(List.of(), "0");
            for (int version = 1; version < 3_000; version++) {
                step(random, server, version);
            }
            queue.close();
            consuming.get(20, TimeUnit.SECONDS);
        } finally {
            executor.shutdownNow();
        }
        assertThat(new TreeMap<>(consumer.stored)).isEqualTo(server);
        assertThat(consumer.syncedCalls).isEqualTo(1);
        assertVersionsRise();
    }

    /** Makes one change at the server, and queues it, or omits it and lists later (a lost watch). */
    private void step(Random random, Map<ObjectName, Thing> server, int version) {
        Thing thing = Thing.of("n/" + random.nextInt(12), String.valueOf(version));
        boolean seen = random.nextInt(20) > 0;
        if (random.nextInt(4) == 0) {
            Thing removed = server.remove(thing.objectName());
            if (removed != null && seen) {
                queue.delete(thing);
            }
        } else {
            Thing before = server.put(thing.objectName(), thing);
            if (seen && before == null) {
                queue.add(thing);
            } else if (seen) {
                queue.update(thing);
            }
        }
        if (!seen) {
            queue.replace(List.copyOf(server.values()), String.valueOf(version));
        } else if (random.nextInt(50) == 0) {
            queue.resync();
        }
    }

    private static final Pattern TOLD = Pattern.compile("(-?)(n/[0-9]+)(?:@([0-9]+))?.*");

    /** I1: the versions of one key never decrease; a deleted object has no notification until it is added again. */
    private void assertVersionsRise() {
        Map<String, Integer> last = new TreeMap<>();
        for (String line : consumer.log) {
            Matcher told = TOLD.matcher(line);
            if (!told.matches()) {
                continue;
            }
            String key = told.group(2);
            if (told.group(1).isEmpty()) {
                int version = Integer.parseInt(told.group(3));
                assertThat(version).as(line).isGreaterThanOrEqualTo(last.getOrDefault(key, 0));
                last.put(key, version);
            } else {
                assertThat(last).as(line).containsKey(key);
            }
        }
    }

    static void onOtherThread(Runnable body) {
        Thread thread = new Thread(body);
        thread.start();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(20));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).as("blocked by the queue's lock").isFalse();
    }

    @Test
    void hasSynced_whenAChangeCameBeforeAnyList_isTrueBeforeItWasProcessed_C5() {
        // DF-13: there is no first list to wait for.
        queue.add(Thing.of("n/a", "1"));
        assertThat(queue.hasSynced()).isTrue();
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void queue_afterABurst_givesItsMemoryBack_C12() throws Exception {
        int burst = 200_000;
        long before = bytesOfArrays();
        for (int i = 0; i < burst; i++) {
            queue.add(Thing.of("n/" + i, "1"));
        }
        assertThat(bytesOfArrays() - before).isGreaterThan(4L * burst);
        StoringConsumer forgetful = new StoringConsumer() {
            @Override
            public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {}
        };
        while (queue.size() > 0) {
            queue.pop(forgetful);
        }
        assertThat(bytesOfArrays() - before).isLessThan(burst);
        assertThat(queue.isClosed()).isFalse(); // and reachable until here
    }

    /** Returns the bytes of all reachable objects that hold queued entries. */
    private static long bytesOfArrays() {
        return HeapHistogram.bytesOf("[Ljava.lang.Object;")
                + HeapHistogram.bytesOf("[Lio.kubeloop.cache.queue.ChangesByKey$Changes;")
                + HeapHistogram.bytesOf("io.kubeloop.cache.queue.ChangesByKey$Changes");
    }
}
