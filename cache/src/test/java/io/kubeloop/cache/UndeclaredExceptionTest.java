/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.cache;

import static io.kubeloop.cache.fake.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.fake.RecordingHandler;
import io.kubeloop.cache.fake.ScriptedSource;
import io.kubeloop.cache.fake.Thing;
import io.kubeloop.cache.metrics.InformerMetrics;
import io.kubeloop.runtime.testing.ManualScheduler;
import io.kubeloop.testing.Undeclared;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** User code that throws a checked exception without declaring it ends no thread. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UndeclaredExceptionTest {

    enum Where {
        INDEX_FUNCTION,
        TRANSFORM_OF_A_LIST,
        TRANSFORM_OF_AN_EVENT,
        METRICS,
        HANDLER,
        WATCH_ERROR_HANDLER
    }

    /** Its message cannot be printed, so a log that prints it fails as well. */
    private static final class Unprintable extends IOException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("scripted: cannot be printed");
        }
    }

    /** A thread whose handler of uncaught exceptions ignores them: other tests observe that of the JVM. */
    private static Thread quietThread(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((from, exception) -> {});
        return thread;
    }

    private static RuntimeException fail() {
        return Undeclared.rethrow(new Unprintable());
    }

    private static void failOn(Thing thing, Thing bad) {
        if (thing.equals(bad)) {
            throw fail();
        }
    }

    @ParameterizedTest
    @EnumSource(Where.class)
    void undeclaredException_costsAtMostOneObject(Where where) {
        Thing bad = Thing.of("n/bad", where == Where.TRANSFORM_OF_A_LIST ? "1" : "11");
        ManualScheduler scheduler = new ManualScheduler();
        ScriptedSource source = new ScriptedSource();
        InformerConfig config = InformerConfig.DEFAULT
                .withScheduler(scheduler)
                .withRandom(() -> 0)
                .withStreamingList(false)
                .withThreads(UndeclaredExceptionTest::quietThread);
        if (where == Where.METRICS) {
            config = config.withMetrics((type, name, health) -> new InformerMetrics() {
                @Override
                public void processed(Duration took) {
                    throw fail();
                }
            });
        }
        try (SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, source, config)) {
            if (where == Where.TRANSFORM_OF_A_LIST || where == Where.TRANSFORM_OF_AN_EVENT) {
                informer.setTransform(thing -> {
                    failOn(thing, bad);
                    return thing;
                });
            } else if (where == Where.INDEX_FUNCTION) {
                informer.addIndexers(Map.of("failing", thing -> {
                    failOn(thing, bad);
                    return List.of();
                }));
            } else if (where == Where.WATCH_ERROR_HANDLER) {
                source.failList(ScriptedSource.refusal(500, "InternalError"));
                informer.setWatchErrorHandler((name, error) -> {
                    throw fail();
                });
            }
            RecordingHandler handler = new RecordingHandler() {
                @Override
                public void onAdd(Thing object, boolean isInInitialList, EventCause cause) {
                    if (where == Where.HANDLER) {
                        failOn(object, bad);
                    }
                    super.onAdd(object, isInInitialList, cause);
                }
            };
            informer.addHandler(handler);
            if (where == Where.TRANSFORM_OF_A_LIST) {
                source.list("5", bad);
            }
            source.list("10");
            informer.start();
            await().until(() -> {
                scheduler.advance(Duration.ofSeconds(1));
                return source.latest() != null;
            });
            source.latest().added(Thing.of("n/bad", "11")).added(Thing.of("n/good", "12"));
            await().until(() -> handler.calls.contains("add n/good@12"));
            assertThat(informer.lister().list()).contains(Thing.of("n/good", "12"));
        }
    }
}
