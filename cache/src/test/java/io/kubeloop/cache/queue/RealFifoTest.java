/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.queue;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.fake.Thing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RealFifoTest extends DeltaQueueContractTest {

    @Override
    DeltaQueue<ObjectName, Thing> create(KnownObjects<ObjectName, Thing> known) {
        return new RealFifo<>(Thing::objectName);
    }

    @Test
    void changesOfDifferentKeys_keepTheOrderOfTheWatch() {
        // RF-02
        queue.add(Thing.of("n/a", "1"));
        queue.add(Thing.of("n/b", "2"));
        queue.update(Thing.of("n/a", "3"));
        drain();
        assertThat(consumer.log).containsExactly("synced", "n/a@1", "n/b@2", "n/a@3");
    }

    @Test
    void hasSynced_firstListCameWhileABookmarkWasProcessed_onlyOnceThatListWas() {
        // RF-14
        queue.bookmark("4");
        queue.pop(new StoringConsumer() {
            @Override
            public void bookmark(String resourceVersion) {
                onOtherThread(() -> queue.replace(List.of(Thing.of("n/a", "1")), "5"));
            }
        });
        assertThat(queue.hasSynced()).isFalse();
        drain();
        assertThat(queue.hasSynced()).isTrue();
        assertThat(consumer.log).containsExactly("n/a@1 initial", "synced");
    }

    @Test
    void pop_lists_resyncs_bookmarks_standAlone() {
        // RF-06, RF-07, RF-08, RF-10
        List<Integer> batches = new ArrayList<>();
        StoringConsumer counting = new StoringConsumer() {
            @Override
            public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
                batches.add(deltas.size());
                super.deltas(deltas, isInInitialList);
            }
        };
        queue.replace(List.of(Thing.of("n/a", "1")), "5");
        queue.add(Thing.of("n/b", "6"));
        queue.add(Thing.of("n/c", "7"));
        queue.bookmark("8");
        queue.add(Thing.of("n/d", "9"));
        queue.resync();
        int pops = 0;
        while (queue.size() > 0) {
            queue.pop(counting);
            pops++;
        }
        assertThat(pops).isEqualTo(5);
        assertThat(batches).containsExactly(2, 1);
        assertThat(counting.log)
                .startsWith("n/a@1 initial", "synced", "n/b@6", "n/c@7", "bookmark 8", "n/d@9")
                .hasSize(10);
    }

    @Test
    void pop_takesAtMostAThousand() {
        for (int i = 0; i < 2_500; i++) {
            queue.add(Thing.of("n/" + i, "1"));
        }
        int pops = 0;
        while (queue.size() > 0) {
            queue.pop(consumer);
            pops++;
        }
        assertThat(pops).isEqualTo(3);
    }

    @Test
    void add_whileTheConsumerLags_waitsForIt() throws Exception {
        // RF-12: memory stays bounded.
        CountDownLatch processing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try {
            queue.add(Thing.of("n/first", "1"));
            Future<Boolean> lagging = executor.submit(() -> queue.pop(new StoringConsumer() {
                @Override
                public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
                    processing.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            }));
            processing.await();
            Future<?> producing = executor.submit(() -> {
                for (int i = 0; i < 2_001; i++) {
                    queue.add(Thing.of("n/" + i, "1"));
                }
            });
            await().until(() -> queue.size() == 2_001);
            assertThat(producing.isDone()).isFalse();
            queue.resync();
            goOn.countDown();
            assertThat(lagging.get(20, TimeUnit.SECONDS)).isTrue();
            producing.get(20, TimeUnit.SECONDS);
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void add_byTheConsumer_whileTheQueueIsFull_doesNotWaitForItself_C4() {
        // RF-12: the limit holds up other producers only.
        queue.add(Thing.of("n/first", "1"));
        queue.pop(new StoringConsumer() {
            @Override
            public void deltas(List<Delta<ObjectName, Thing>> deltas, boolean isInInitialList) {
                for (int i = 0; i < 2_500; i++) {
                    queue.add(Thing.of("n/" + i, "1"));
                }
            }
        });
        assertThat(queue.size()).isEqualTo(2_500);
    }

    @Test
    void batch_mayHoldAKeyTwice_bothChangesInTheirOrder_RF10() {
        // Different on purpose: upstream ends a batch before a repeated key, as its store takes one change per key.
        queue.add(Thing.of("n/a", "1"));
        queue.update(Thing.of("n/a", "2"));
        queue.delete(Thing.of("n/a", "3"));
        queue.pop(consumer);
        assertThat(consumer.log).containsExactly("synced", "n/a@1", "n/a@2", "-n/a");
        assertThat(queue.size()).isZero();
    }
}
