/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.InformerConfigBuilder;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.runtime.Durations;
import io.kubeloop.runtime.OneShotLatch;
import io.kubeloop.runtime.Scheduler;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DurationsTest {

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    @Test
    void whatFits_isExact() {
        assertThat(Durations.nanos(Duration.ofSeconds(2, 3))).isEqualTo(2_000_000_003L);
        assertThat(Durations.millis(Duration.ofMillis(5).plusNanos(999_999))).isEqualTo(5);
        assertThat(Durations.nanos(Duration.ofSeconds(-1))).isEqualTo(-1_000_000_000L);
    }

    @Test
    void whatDoesNotFit_isTheLongestThatDoes() {
        assertThat(Durations.nanos(Duration.ofMillis(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
        assertThat(Durations.nanos(FOREVER)).isEqualTo(Long.MAX_VALUE);
        assertThat(Durations.nanos(FOREVER.negated())).isEqualTo(Long.MIN_VALUE);
        assertThat(Durations.millis(FOREVER)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void informer_waitsForEver_untilItIsTrue() throws Exception {
        ScriptedSource source = new ScriptedSource();
        try (SharedInformer<Thing> informer =
                SharedInformers.informer(Thing.TYPE, source, InformerConfig.DEFAULT.withStreamingList(false))) {
            Registration registration = informer.addHandler(new RecordingHandler(), FOREVER);
            source.list("10", Thing.of("n/a", "8"));
            informer.start();
            informer.awaitSync(FOREVER);
            registration.awaitSync(Duration.ofMillis(Long.MAX_VALUE));
            source.nextWatch().modified(Thing.of("n/a", "11"));
            informer.awaitObserved(Thing.of("n/a", "11").objectName(), "11", FOREVER);
            assertThat(registration.closeAndAwait(FOREVER)).isTrue();
        }
    }

    @Test
    void informer_whoseWatchesAndErrorBudgetAreToLastForEver_keepsWatching() throws Exception {
        ScriptedSource source = new ScriptedSource();
        InformerConfig config = InformerConfig.DEFAULT
                .withStreamingList(false)
                .withScheduler(new ManualScheduler())
                .withInternalErrorBudget(FOREVER);
        try (SharedInformer<Thing> informer = SharedInformers.informer(
                Thing.TYPE,
                source,
                InformerConfigBuilder.builder(config).minWatchTimeout(FOREVER).build())) {
            source.list("10", Thing.of("n/a", "8"));
            informer.start();
            source.nextWatch().modified(Thing.of("n/a", "11")).error(500, "InternalError");
            source.nextWatch();
            assertThat(source.takeRequests()).containsExactly("list rv=0 limit=500", "watch rv=10", "watch rv=11");
        }
    }

    @Test
    void systemTimers_aTaskThatNeverComes_keepsNoOtherWaiting() throws Exception {
        Scheduler scheduler = Scheduler.system(Executors.defaultThreadFactory());
        try {
            scheduler.schedule(FOREVER, () -> {
                throw new AssertionError("not before the year 2300");
            });
            OneShotLatch soon = new OneShotLatch();
            scheduler.schedule(Duration.ofMillis(1), soon::release);
            assertThat(soon.await(scheduler, FOREVER)).isTrue();
        } finally {
            scheduler.close();
        }
    }
}
