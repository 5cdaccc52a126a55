/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ApiHandler;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.runtime.Scheduler;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InProcessStreamTest {

    /** Runs each task at once, as if its delay had passed. */
    private static final class ImmediateScheduler implements Scheduler {

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Task scheduleAt(long nanoTime, Runnable task) {
            task.run();
            return () -> {};
        }

        @Override
        public void close() {}
    }

    private final Scheduler scheduler = new ImmediateScheduler();
    private final ApiBackend backend = new ApiBackend(
            new Storage(8, 1),
            BuiltInKinds.create(),
            Clock.systemUTC(),
            scheduler,
            Duration.ofMinutes(1),
            new Random(1),
            List.of());
    private final InProcessTransport transport = new InProcessTransport(new ApiHandler(backend)::handle, scheduler);

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void stream_deadlinePassesBeforeItIsRegistered_isForgotten() {
        ApiStream stream = transport.stream(new ApiRequest(
                "GET", "/api/v1/pods", Map.of("watch", "true"), ApiRequest.JSON, null, Duration.ofNanos(1)));

        assertThatExceptionOfType(TransportException.class)
                .isThrownBy(stream::next)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.TIMEOUT));
        assertThat(transport.openStreams()).isZero();
    }
}
