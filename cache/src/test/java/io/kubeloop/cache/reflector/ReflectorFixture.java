/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.reflector;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.ReflectorState;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;

/** An informer on a scripted server, in stepped time. */
abstract class ReflectorFixture {

    final ManualScheduler scheduler = new ManualScheduler();
    final ScriptedSource source = new ScriptedSource();
    final RecordingHandler handler = new RecordingHandler();
    final AtomicReference<SharedInformer<Thing>> running = new AtomicReference<>();

    final InformerConfig config =
            InformerConfig.DEFAULT.withScheduler(scheduler).withRandom(() -> 0).withStreamingList(false);

    SharedInformer<Thing> start(boolean streaming) {
        SharedInformer<Thing> informer = make(config.withStreamingList(streaming));
        informer.start();
        return informer;
    }

    SharedInformer<Thing> make(InformerConfig config) {
        SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, source, config);
        running.set(informer);
        informer.addHandler(handler);
        return informer;
    }

    @AfterEach
    void close() {
        if (running.get() != null) {
            running.get().close();
        }
        assertThat(source.openStreams).hasValue(0);
        assertThat(scheduler.waiting()).as("scheduler left behind").isZero();
    }

    static TransportException reset() {
        return new TransportException(Kind.BROKEN, "connection reset", null);
    }

    void awaitState(ReflectorState state) {
        await().until(() -> running.get().health().state() == state);
    }

    /** Waits for a backoff of exactly this length. */
    void passBackoff(Duration length) throws InterruptedException {
        awaitState(ReflectorState.BACKING_OFF);
        await().until(() -> scheduler.waiting() > 0);
        scheduler.advance(length.minusNanos(1));
        assertThat(source.requests).isEmpty();
        scheduler.advance(Duration.ofNanos(1));
    }
}
