/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.InformerConfig.QueueKind;
import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.cache.metrics.InformerMetrics;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** I13: user code never runs under a lock of this library. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UserCodeTest {

    private final AtomicReference<SharedInformer<Thing>> informer = new AtomicReference<>();
    private final Set<String> probed = ConcurrentHashMap.newKeySet();
    private final Set<String> finished = ConcurrentHashMap.newKeySet();
    private final Set<String> blocked = ConcurrentHashMap.newKeySet();

    /** Lets another thread use everything that takes a lock, while the caller waits. */
    private void probe(String where) {
        SharedInformer<Thing> used = informer.get();
        if (used == null || !probed.add(where)) {
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            used.health();
            used.lister().list();
            refusedOnlyIfClosed(() -> used.addIndexers(Map.of("by " + where, thing -> List.of())));
            refusedOnlyIfClosed(() -> used.addHandler(new RecordingHandler(), Duration.ofSeconds(30))
                    .close());
            used.start();
            done.countDown();
        });
        other.setDaemon(true);
        other.start();
        try {
            if (!done.await(10, TimeUnit.SECONDS)) {
                blocked.add(where);
            }
            finished.add(where);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Metrics are closed with the informer, so adding a handler takes the lock and then fails. */
    private static void refusedOnlyIfClosed(Runnable use) {
        try {
            use.run();
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageEndingWith("is closed");
        }
    }

    @ParameterizedTest
    @EnumSource(QueueKind.class)
    void userCode_everywhere_runsWithoutLocks_I13(QueueKind queue) {
        ManualScheduler scheduler = new ManualScheduler();
        ScriptedSource source = new ScriptedSource();
        InformerConfig config = InformerConfig.DEFAULT
                .withScheduler(scheduler)
                .withQueue(queue)
                .withStreamingList(false)
                .withResyncPeriod(Duration.ofSeconds(10))
                .withMetrics((type, name, health) -> {
                    probe("metrics provider");
                    return new InformerMetrics() {
                        @Override
                        public void listed(int objects, Duration took) {
                            probe("metrics of the reflector");
                        }

                        @Override
                        public void processed(Duration took) {
                            probe("metrics of the queue");
                        }

                        @Override
                        public void close() {
                            probe("metrics closed");
                        }
                    };
                })
                .withThreads(body -> {
                    probe("thread factory");
                    Thread thread = new Thread(body);
                    thread.setDaemon(true);
                    return thread;
                });
        SharedInformer<Thing> made = SharedInformers.informer(Thing.TYPE, source, config);
        made.setTransform(thing -> {
            probe("transform");
            return thing;
        });
        made.setWatchErrorHandler((name, error) -> probe("watch error handler"));
        made.addIndexers(Map.of("probing", thing -> {
            probe("index function");
            return List.of(thing.value());
        }));
        made.addHandler(new ResourceEventHandler<Thing>() {
            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                probe("onAdd");
            }

            @Override
            public void onUpdate(Thing oldObject, Thing newObject) {
                probe(oldObject.equals(newObject) ? "onUpdate by resync" : "onUpdate");
            }

            @Override
            public void onDelete(DeletedObject<Thing> deleted) {
                probe("onDelete");
            }
        });
        informer.set(made);
        try (made) {
            source.failList(ScriptedSource.refusal(500, "InternalError"))
                    .list("10", Thing.of("n/a", "1"), Thing.of("n/b", "2"));
            made.start();
            await().until(() -> made.health().state() == ReflectorState.BACKING_OFF && scheduler.waiting() > 0);
            scheduler.advance(Duration.ofSeconds(2));
            await().until(source::isExhausted);
            await().until(() -> made.health().queued() == 0);
            scheduler.advance(Duration.ofSeconds(10));
            await().until(() -> finished.contains("onUpdate by resync"));
            source.latest().modified(Thing.of("n/a", "11")).deleted(Thing.of("n/b", "12"));
            await().until(() -> finished.contains("onDelete"));
        }
        assertThat(finished)
                .containsExactlyInAnyOrder(
                        "thread factory",
                        "metrics provider",
                        "metrics of the reflector",
                        "metrics of the queue",
                        "metrics closed",
                        "watch error handler",
                        "transform",
                        "index function",
                        "onAdd",
                        "onUpdate",
                        "onUpdate by resync",
                        "onDelete");
        assertThat(blocked).isEmpty();
    }
}
