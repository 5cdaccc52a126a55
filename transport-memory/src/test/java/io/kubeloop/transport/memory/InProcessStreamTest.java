package io.kubeloop.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.transport.memory.registry.ApiServerCore;
import io.kubeloop.transport.memory.service.ServiceNetwork;
import io.kubeloop.transport.memory.storage.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InProcessStreamTest {

    /** No time at all: what is scheduled has happened. */
    private static final class Impatient implements Timer {

        @Override
        public Task schedule(Duration delay, Runnable task) {
            task.run();
            return () -> {};
        }

        @Override
        public void close() {}
    }

    private final ApiServerCore core = new ApiServerCore(
            Clock.systemUTC(), Thread::new, new Random(1), 8, 1, Duration.ofMinutes(1), false, ServiceNetwork.DEFAULT);
    private final InProcessTransport transport = new InProcessTransport(core.handler(), new Impatient());

    @AfterEach
    void close() {
        transport.close();
        core.close();
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
