/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache.metrics;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceType;
import io.kubeloop.cache.DeletedObject;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.InformerHealth;
import io.kubeloop.cache.Registration;
import io.kubeloop.cache.ResourceEventHandler;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.cache.runtime.InformerMeter;
import io.kubeloop.runtime.testing.ManualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InformerMetricsTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ScriptedSource source = new ScriptedSource();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final AtomicReference<Supplier<InformerHealth>> gauges = new AtomicReference<>();

    private SharedInformer<Thing> informer(InformerMetricsProvider provider, boolean streaming) {
        return SharedInformers.informer(
                Thing.TYPE,
                source,
                InformerConfig.DEFAULT
                        .withScheduler(scheduler)
                        .withRandom(() -> 0)
                        .withStreamingList(streaming)
                        .withMetrics(provider));
    }

    private InformerMetrics record(ResourceType<?> type, String informer, Supplier<InformerHealth> health) {
        gauges.set(health);
        told.add("register " + type + " " + informer);
        return new InformerMetrics() {
            @Override
            public void listed(int objects, Duration took) {
                told.add("listed " + objects + " " + took);
            }

            @Override
            public void watched(long events, Duration lasted) {
                told.add("watched " + events + " " + lasted);
            }

            @Override
            public void processed(Duration took) {
                told.add("processed " + took);
            }

            @Override
            public void close() {
                told.add("close");
            }
        };
    }

    @Test
    void informer_tellsWhatItDoes() throws Exception {
        // RF-19
        SharedInformer<Thing> informer = informer(this::record, false);
        assertThat(told).as("not before the start").isEmpty();
        informer.start();
        await().until(source::isExhausted);
        scheduler.advance(Duration.ofSeconds(3));
        source.list("10", Thing.of("n/a", "1"), Thing.of("n/b", "2"));
        await().until(() -> told.size() == 3);
        assertThat(told)
                .containsExactly("register things.example.com things.example.com", "listed 2 PT3S", "processed PT0S");
        await().until(source::isExhausted);
        scheduler.advance(Duration.ofSeconds(60));
        source.latest().modified(Thing.of("n/a", "11"));
        await().until(() -> told.size() == 4);
        source.latest().bookmark("1234567890123456789");
        await().until(() -> gauges.get().get().storeResourceVersion().startsWith("1234"));
        source.latest().end();
        await().until(() -> told.contains("watched 2 PT1M"));
        InformerHealth health = gauges.get().get();
        assertThat(InformerHealth.versionMetric(health.storeResourceVersion())).isEqualTo(567890123456789.0);
        assertThat(health.objects()).isEqualTo(2);
        await().until(source::isExhausted);
        told.clear();
        informer.close();
        informer.close();
        assertThat(told.stream().filter("close"::equals)).as("once").hasSize(1);
    }

    @Test
    void streamingList_countsAsAList() throws Exception {
        try (SharedInformer<Thing> informer = informer(this::record, true)) {
            informer.start();
            ScriptedSource.Stream stream = source.nextWatch();
            scheduler.advance(Duration.ofSeconds(2));
            stream.added(Thing.of("n/a", "1")).endOfInitialEvents("10");
            await().until(() -> told.contains("listed 1 PT2S"));
            await().until(source::isExhausted);
            scheduler.advance(Duration.ofSeconds(5));
            stream.added(Thing.of("n/b", "11")).end();
            await().until(() -> told.contains("watched 1 PT5S"));
        }
    }

    @Test
    void watchedInformer_reportsEachPlaceOfAnEvent_andNothingWhileNotWatched() throws Exception {
        AtomicReference<Boolean> watched = new AtomicReference<>(false);
        InformerMetrics watching = new InformerMetrics() {
            @Override
            public boolean isWatched() {
                return watched.get();
            }

            @Override
            public void trace(InformerTrace trace) {
                told.add(trace.place() + " " + trace.change() + " " + trace.name() + "@" + trace.resourceVersion() + " "
                        + trace.cause() + " " + trace.handler());
            }
        };
        InformerMetricsProvider tracing = new InformerMetricsProvider() {
            @Override
            public InformerMetrics register(ResourceType<?> type, String informer, Supplier<InformerHealth> health) {
                return watching;
            }

            @Override
            public boolean traces() {
                return true;
            }
        };
        try (SharedInformer<Thing> informer = informer(tracing, false)) {
            Registration handler = informer.addHandler(new ResourceEventHandler<Thing>() {
                @Override
                public void onDelete(DeletedObject<Thing> deleted) {
                    throw new IllegalStateException("scripted");
                }

                @Override
                public String handlerName() {
                    return "h";
                }
            });
            informer.start();
            await().until(source::isExhausted);
            source.list("10", Thing.of("n/a", "1"));
            await().until(handler::hasSynced); // otherwise it may still return from its first call while it is watched
            await().until(source::isExhausted);
            assertThat(told).isEmpty();
            watched.set(true);
            source.latest().modified(Thing.of("n/a", "11")).deleted(Thing.of("n/a", "12"));
            await().until(() -> told.size() == 8);
        }
        assertThat(told)
                .containsSubsequence(
                        "RECEIVED UPDATED n/a@11 WATCH ",
                        "STORED UPDATED n/a@11 WATCH ",
                        "CALLED UPDATED n/a@11 WATCH h",
                        "RETURNED UPDATED n/a@11 WATCH h",
                        "CALLED DELETED n/a@12 WATCH h",
                        "FAILED DELETED n/a@12 WATCH h")
                .containsSubsequence("RECEIVED DELETED n/a@12 WATCH ", "STORED DELETED n/a@12 WATCH ");
    }

    @Test
    void throwingMetrics_damageNothing() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        InformerMetrics failing = new InformerMetrics() {
            private void fail() {
                calls.incrementAndGet();
                throw new AssertionError("scripted");
            }

            @Override
            public void listed(int objects, Duration took) {
                fail();
            }

            @Override
            public void watched(long events, Duration lasted) {
                fail();
            }

            @Override
            public void processed(Duration took) {
                fail();
            }

            @Override
            public void close() {
                fail();
            }
        };
        RecordingHandler handler = new RecordingHandler();
        try (SharedInformer<Thing> informer = informer((type, name, health) -> failing, false)) {
            informer.addHandler(handler);
            source.list("10", Thing.of("n/a", "1"));
            informer.start();
            source.nextWatch().added(Thing.of("n/b", "11")).end();
            source.nextWatch().added(Thing.of("n/c", "12"));
            assertThat(handler.take(3)).containsExactly("add n/a@1 initial", "add n/b@11", "add n/c@12");
            assertThat(informer.health().errors()).isZero();
        }
        // The two changes may arrive in one batch, and the close may precede the measurement of the last one.
        assertThat(calls.get())
                .as("list, watch, close, and one to three times processed")
                .isBetween(4, 7);
    }

    @Test
    void throwingProvider_damagesNothing() throws Exception {
        RecordingHandler handler = new RecordingHandler();
        InformerMetricsProvider failing = (type, name, health) -> {
            throw new AssertionError("scripted");
        };
        try (SharedInformer<Thing> informer = informer(failing, false)) {
            informer.addHandler(handler);
            source.list("10", Thing.of("n/a", "1"));
            informer.start();
            handler.take(1);
        }
    }

    @Test
    void metrics_registeredByTwoAtOnce_areRegisteredOnce() {
        InformerMeter meter = new InformerMeter("things", new ManualScheduler());
        Supplier<InformerHealth> unasked = () -> {
            throw new AssertionError("not asked");
        };
        meter.register(() -> {
            meter.register(() -> record(Thing.TYPE, "the other one", unasked));
            return record(Thing.TYPE, "things", unasked);
        });
        meter.listed(3, Duration.ZERO);
        assertThat(told).containsExactly("register things.example.com things", "listed 3 PT0S");
        meter.close();
        assertThat(told).endsWith("close");
    }

    @Test
    void metrics_registeredWhileTheInformerCloses_areClosed() {
        InformerMeter meter = new InformerMeter("things", new ManualScheduler());
        meter.register(() -> {
            meter.close();
            return record(Thing.TYPE, "things", () -> {
                throw new AssertionError("not asked");
            });
        });
        assertThat(told).containsExactly("register things.example.com things", "close");
        meter.register(() -> {
            throw new AssertionError("closed for good");
        });
    }

    @ParameterizedTest
    @CsvSource({"'', 0", "1, 1", "999999999999999, 999999999999999", "9223372036854775807, 372036854775807", "1a, NaN"})
    void versionMetric_isTheLastFifteenDigits_RV05(String version, double expected) {
        assertThat(InformerHealth.versionMetric(version)).isEqualTo(Double.valueOf(expected));
    }
}
