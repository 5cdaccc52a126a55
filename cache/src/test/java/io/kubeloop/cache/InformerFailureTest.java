/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.ObjectName;
import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.cache.metrics.InformerMetrics;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An error that is not one of user code ends the whole informer, and everybody can see it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InformerFailureTest {

    private final ManualScheduler manual = new ManualScheduler();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Throwable> uncaught = new AtomicReference<>();

    /** The thread with this prefix runs out of memory when it reads the time. */
    private volatile String failing = "none";

    private final Scheduler scheduler = new Scheduler() {
        @Override
        public Instant now() {
            return manual.now();
        }

        @Override
        public long nanoTime() {
            if (Thread.currentThread().getName().startsWith(failing)) {
                throw new OutOfMemoryError("scripted: Java heap space");
            }
            return manual.nanoTime();
        }

        @Override
        public Scheduler.Task scheduleAt(long nanoTime, Runnable task) {
            return manual.scheduleAt(nanoTime, task);
        }

        @Override
        public void close() {}
    };

    private Thread thread(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((from, error) -> uncaught.set(error));
        threads.add(thread);
        return thread;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubeloop-informer-", "kubeloop-reflector-", "kubeloop-handler-"})
    void errorOnAThread_endsTheInformer_andIsVisible_I12(String name) throws Exception {
        ScriptedSource source = new ScriptedSource();
        InformerConfig config = InformerConfig.DEFAULT
                .withScheduler(scheduler)
                .withThreads(this::thread)
                .withRandom(() -> 0)
                .withStreamingList(false)
                .withMetrics(
                        (type, informer, health) -> new InformerMetrics() {}); // the processing thread reads the time
        CountDownLatch mayFail = new CountDownLatch(1);
        RecordingHandler slow = new RecordingHandler() {
            @Override
            public void onAdd(Thing object, boolean isInInitialList) {
                awaitUninterruptibly(mayFail);
            }
        };
        SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, source, config);
        informer.addHandler(slow);
        Thing[] things = new Thing[2000]; // so many that the handler is behind, and its calls are timed
        for (int i = 0; i < things.length; i++) {
            things[i] = Thing.of("n/" + i, "1");
        }
        source.list("10", things);
        informer.start();
        ScriptedSource.Stream watch = source.nextWatch();
        failing = name;
        mayFail.countDown();
        watch.added(Thing.of("n/later", "11"));
        await().until(() -> informer.health().state() == ReflectorState.FAILED);

        assertThat(informer.health().lastError()).isInstanceOf(OutOfMemoryError.class);
        await().until(() -> threads.stream().noneMatch(Thread::isAlive));
        assertThat(uncaught.get()).isSameAs(informer.health().lastError());
        assertThatThrownBy(() -> informer.awaitObserved(new ObjectName("n", "x"), "99", Duration.ofDays(1)))
                .isInstanceOf(NotObservedException.class);
        assertThatThrownBy(() -> informer.addHandler(new RecordingHandler())).hasMessageContaining("closed");
        informer.close();
    }
}
