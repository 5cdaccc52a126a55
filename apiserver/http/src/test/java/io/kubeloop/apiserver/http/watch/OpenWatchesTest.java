/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.OwnedThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OpenWatchesTest {

    private final OwnedThreads threads = new OwnedThreads(OwnedThreads.virtualOrDaemon());
    private final AtomicBoolean clientHasLeft = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    @Test
    void watchOfADisconnectedClient_isEnded_andTheOthersGoOn() throws Exception {
        CountDownLatch checks = new CountDownLatch(3);
        try (OpenWatches watches = new OpenWatches(threads, Duration.ofMillis(1))) {
            watches.add(clientHasLeft::get, ended::countDown);
            watches.start(checks::countDown);
            checks.await();
            assertThat(ended.getCount()).isEqualTo(1);

            clientHasLeft.set(true);

            ended.await();
        }
        assertThat(threads.await(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void close_endsEveryWatch_alsoOneThatComesLater() throws Exception {
        OpenWatches watches = new OpenWatches(threads, Duration.ofMillis(1));
        watches.add(clientHasLeft::get, ended::countDown);
        watches.remove(watches.add(clientHasLeft::get, () -> {
            throw new AssertionError("the watch was removed");
        }));

        watches.close();

        assertThat(ended.await(0, TimeUnit.SECONDS)).isTrue();
        CountDownLatch late = new CountDownLatch(1);
        watches.add(clientHasLeft::get, late::countDown);
        assertThat(late.getCount()).isZero();
    }

    @Test
    void checkThatFails_isRepeated() throws Exception {
        CountDownLatch checks = new CountDownLatch(3);
        try (OpenWatches watches = new OpenWatches(threads, Duration.ofMillis(1))) {
            watches.start(() -> {
                checks.countDown();
                throw new IllegalStateException("as the test wants it");
            });
            checks.await();
        }
        assertThat(threads.await(Duration.ofSeconds(30))).isTrue();
    }
}
