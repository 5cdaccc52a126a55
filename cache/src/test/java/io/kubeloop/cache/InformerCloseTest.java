/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** I12: after close() no thread, stream or timer is left, in whatever state the informer was. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InformerCloseTest {

    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedSource source = new ScriptedSource();
    private final InformerConfig config = InformerConfig.DEFAULT
            .withScheduler(scheduler)
            .withStreamingList(false)
            .withThreads(body -> {
                Thread thread = new Thread(body);
                thread.setDaemon(true);
                threads.add(thread);
                return thread;
            });
    private final SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, source, config);

    @AfterEach
    void nothingIsLeft() {
        assertThat(threads).as("threads were made").isNotEmpty().allMatch(thread -> !thread.isAlive());
        assertThat(scheduler.waiting()).isZero();
        assertThat(source.openStreams).hasValue(0);
    }

    private void startAndSync() {
        source.list("10", Thing.of("n/a", "1"));
        informer.start();
        await().until(source::isExhausted);
        await().until(informer::hasSynced);
    }

    @Test
    void close_whileAListBlocks_I12() {
        // RE-38, SI-02
        informer.addHandler(new RecordingHandler());
        informer.start();
        await().until(source::isExhausted);
        assertThat(threads)
                .extracting(Thread::getName)
                .containsExactlyInAnyOrder(
                        "kubeloop-handler-things.example.com-1",
                        "kubeloop-informer-things.example.com",
                        "kubeloop-reflector-things.example.com");
        informer.close();
    }

    @Test
    void close_whileAWatchBlocks_I12() {
        // RE-46, HS-01
        informer.addHandler(new RecordingHandler());
        startAndSync();
        informer.close();
        assertThat(informer.hasSynced()).as("stays true").isTrue();
        assertThat(informer.lister().list()).as("can still be read").hasSize(1);
    }

    @Test
    void close_byTheWatchErrorHandler_asksNoMore_I12() {
        // The handler closes the informer because it takes a refusal for the end of a namespace.
        source.failList(ScriptedSource.refusal(403, "Forbidden"));
        informer.setWatchErrorHandler((name, error) -> informer.close());
        informer.start();
        await().until(() -> informer.health().state() == ReflectorState.STOPPED);
        informer.close();
        assertThat(informer.health().lists()).isEqualTo(1);
    }

    @Test
    void close_whileBackingOff_I12() {
        source.failList(ScriptedSource.refusal(500, "InternalError"));
        informer.start();
        await().until(() -> informer.health().state() == ReflectorState.BACKING_OFF);
        informer.close();
    }

    @Test
    void close_withABacklog_letsTheRunningCallReturnAndDropsTheRest_I12() throws Exception {
        // SI-03, SI-02
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger returned = new AtomicInteger();
        informer.addHandler(new RecordingHandler() {
            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                running.countDown();
                SharedInformerTest.awaitLatch(goOn);
                returned.incrementAndGet();
            }
        });
        startAndSync();
        source.latest().added(Thing.of("n/b", "11")).added(Thing.of("n/c", "12"));
        running.await();
        Thread closing = new Thread(informer::close);
        closing.start();
        // close() starts its limited wait after it has stopped everything; the handler's backlog is stopped last.
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        assertThat(source.openStreams).hasValue(0);
        goOn.countDown();
        closing.join(TimeUnit.SECONDS.toMillis(20));
        assertThat(closing.isAlive()).isFalse();
        assertThat(returned).hasValue(1);
    }

    @Test
    void close_fromAHandler_doesNotWaitForItself_I12() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        informer.addHandler(new RecordingHandler() {
            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                informer.close();
                closed.countDown();
            }
        });
        source.list("10", Thing.of("n/a", "1"));
        informer.start();
        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        informer.close();
    }

    @Test
    void close_fromTwoHandlersAndOutside_atOnce_ends_I12() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            informer.addHandler(new RecordingHandler() {
                @Override
                public void onAdd(Thing object, boolean isInInitialList) {
                    both.countDown();
                    SharedInformerTest.awaitLatch(both);
                    informer.close();
                }
            });
        }
        source.list("10", Thing.of("n/a", "1"));
        informer.start();
        both.await();
        informer.close();
    }

    @Test
    void closedInformer_refusesWhatWouldStartAnything() {
        // SI-01, RG-03, IX-07
        informer.addHandler(new RecordingHandler());
        informer.close();
        informer.close();
        informer.start();
        assertThat(source.requests).isEmpty();
        assertThatThrownBy(() -> informer.addHandler(new RecordingHandler()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("things.example.com is closed");
        assertThatThrownBy(() -> informer.addIndexers(Map.of("x", thing -> List.of())))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void ownTimers_areClosedWithTheInformer_I12() {
        SharedInformer<Thing> real = SharedInformers.informer(
                Thing.TYPE,
                source,
                InformerConfig.DEFAULT.withStreamingList(false).withThreads(config.threads()));
        source.list("10").list("20", Thing.of("n/a", "15"));
        RecordingHandler handler = new RecordingHandler();
        real.addHandler(handler);
        real.start();
        await().until(source::isExhausted);
        source.latest().error(410, "Expired");
        // Lists again after a real backoff of 0.8 to 1.6 s: the timers on real time work.
        await().atMost(Duration.ofSeconds(20)).until(() -> handler.calls.contains("add n/a@15"));
        assertThat(threads).extracting(Thread::getName).contains("kubeloop-timer");
        real.close();
        // close() waits for this thread for at most one second.
        await().until(() -> threads.stream().noneMatch(Thread::isAlive));
    }

    @Test
    void close_ofAStreamThatFails_endsEverythingElse_I12() {
        source.list("10").failClose(new IllegalStateException() {
            @Override
            public String getMessage() {
                throw new IllegalStateException("scripted: cannot be printed");
            }
        });
        SharedInformer<Thing> closing = SharedInformers.informer(Thing.TYPE, source, config);
        closing.addHandler(new RecordingHandler());
        closing.start();
        await().until(source::isExhausted);
        closing.close();
    }

    @Test
    void start_whenAThreadCannotBeMade_closes_I12() {
        AtomicInteger made = new AtomicInteger();
        SharedInformer<Thing> failing = SharedInformers.informer(Thing.TYPE, source, config.withThreads(body -> {
            if (made.incrementAndGet() < 3) {
                return config.threads().newThread(body);
            }
            return new Thread(body) {
                @Override
                public synchronized void start() {
                    throw new OutOfMemoryError("scripted: unable to create native thread");
                }
            };
        }));
        failing.addHandler(new RecordingHandler());
        assertThatThrownBy(failing::start).hasMessageContaining("native thread");
        assertThatThrownBy(() -> failing.awaitSync(Duration.ofDays(1))).hasMessageContaining("closed");
        await().until(() -> threads.stream().noneMatch(Thread::isAlive));
    }
}
