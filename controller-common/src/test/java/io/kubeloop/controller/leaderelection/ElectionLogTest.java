/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ObjectName;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.controller.ControllerTime;
import io.kubeloop.controller.leaderelection.LeaderAttempt.Outcome;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.CapturedLog;
import io.kubeloop.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** The log names each failed request of a renewal, and a renewal that began late. */
@Isolated("reads standard error")
@Timeout(20)
class ElectionLogTest {

    private final FakeLeases server = new FakeLeases();
    private final ManualScheduler monotonic = new ManualScheduler();

    private LeaderElectionConfig config() {
        LeaderCallbacks callbacks = new LeaderCallbacks() {
            @Override
            public void onStartedLeading() throws InterruptedException {
                new CountDownLatch(1).await();
            }

            @Override
            public void onStoppedLeading() {}
        };
        return LeaderElectionConfig.of(new LeaseLock(server, new ObjectName("kube-system", "manager"), "a"), callbacks)
                .withDurations(Duration.ofHours(2), Duration.ofHours(1), Duration.ofSeconds(2))
                .withTime(new ControllerTime(
                        new ManualClock(Instant.parse("2026-01-01T00:00:00Z")), monotonic, () -> 0.5));
    }

    @Test
    void renewalWhoseRequestsFail_isLoggedForEachRequest() {
        LeaderAttempt attempts = new LeaderAttempt(config());
        Outcome leading = attempts.tryAcquireOrRenew(new Observation(null, 0), () -> true);
        server.script(verb -> {
            throw new TransportException(TransportException.Kind.TIMEOUT, verb + " timed out", null);
        });
        try (CapturedLog log = new CapturedLog()) {
            assertThat(leading.succeeded()).isTrue();
            assertThat(attempts.tryAcquireOrRenew(leading.observed(), () -> true)
                            .succeeded())
                    .isFalse();

            assertThat(log.text())
                    .containsPattern("WARN.*Cannot renew lease kube-system/manager as a .*update timed out")
                    .containsPattern("WARN.*Cannot acquire or renew lease kube-system/manager as a.*get timed out");
        }
    }

    @Test
    void renewalThatBeginsLate_isLogged() {
        try (CapturedLog log = new CapturedLog();
                LeaderElector elector = new LeaderElector(config())) {
            elector.start();
            await().until(elector::isLeading);

            await().until(() -> {
                monotonic.advance(Duration.ofSeconds(9));
                return log.text().contains("renews its lease PT7S late");
            });
        }
    }
}
