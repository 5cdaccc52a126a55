/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.api.client.ApiStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class EmbeddedApiServerTest {

    /** I12. */
    @Test
    void close_leavesNoThreadAndNoOpenStream() throws Exception {
        List<Thread> started = new CopyOnWriteArrayList<>();
        EmbeddedApiServer server = EmbeddedApiServer.builder()
                .threadFactory(task -> {
                    Thread thread = new Thread(task);
                    started.add(thread);
                    return thread;
                })
                // No bookmark before the end, however slow the machine is.
                .bookmarkInterval(Duration.ofDays(1))
                .build();
        ExecutorService reader = Executors.newSingleThreadExecutor();
        ApiStream watch = new Requests(server.transport()).watch("/api/v1/pods?allowWatchBookmarks=true");
        assertThat(watch.next()).asString(UTF_8).contains("initial-events-end");
        Future<byte[]> next = reader.submit(watch::next);

        server.close();
        server.close();

        assertThat(next.get(20, TimeUnit.SECONDS)).isNull();
        assertThat(started)
                .extracting(Thread::getName)
                .satisfiesExactly(name -> assertThat(name).isEqualTo("kubeloop-timer"));
        assertThat(started).noneMatch(Thread::isAlive);
        reader.shutdownNow();
    }

    @Test
    void bookmarkInterval_thatNoClockHolds_isNever() throws Exception {
        try (EmbeddedApiServer server = EmbeddedApiServer.builder()
                        .bookmarkInterval(Duration.ofSeconds(Long.MAX_VALUE))
                        .build();
                ApiStream watch = new Requests(server.transport()).watch("/api/v1/pods?allowWatchBookmarks=true")) {
            assertThat(watch.code()).isEqualTo(200);
        }
    }

    @Test
    void builder_refusesWhatMakesNoSense() {
        EmbeddedApiServer.Builder builder = EmbeddedApiServer.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.eventLogCapacity(0))
                .withMessageContaining("0");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.bookmarkInterval(Duration.ZERO));
    }
}
