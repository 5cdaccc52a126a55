package io.kubeloop.cache;

import static io.kubeloop.cache.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.cache.InformerConfig.QueueKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of a server that fails, through the whole informer, with handlers that come and go. Set the system
 * property {@code kubeloop.histories} for more of them.
 */
@Tag("stress")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InformerHistoryTest {

    static Stream<Arguments> histories() {
        int count = Integer.getInteger("kubeloop.histories", 24);
        return Stream.iterate(1, seed -> seed + 1)
                .limit(count)
                .map(seed ->
                        Arguments.of(seed, seed % 2 == 0 ? QueueKind.IN_ORDER : QueueKind.COALESCING, seed % 4 < 2));
    }

    @ParameterizedTest
    @MethodSource("histories")
    void history_atRandom_cacheAndEveryHandlerEndInTheServersState_I1_I2_I4_I5_I6(
            int seed, QueueKind queue, boolean streaming) {
        Random random = new Random(seed);
        ManualTimers timers = new ManualTimers();
        FakeServer server = new FakeServer(seed);
        InformerConfig config = InformerConfig.DEFAULT
                .withTimers(timers)
                .withRandom(() -> 0)
                .withQueue(queue)
                .withStreamingList(streaming)
                .withResyncPeriod(Duration.ofSeconds(20));
        Map<MirrorHandler, Registration> handlers = new HashMap<>();
        List<MirrorHandler> all = new ArrayList<>();
        try (SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, server, config)) {
            addHandler(informer, handlers, all);
            informer.start();
            for (int step = 0; step < 400; step++) {
                step(random, server, timers);
                if (random.nextInt(60) == 0) {
                    addHandler(informer, handlers, all);
                }
                if (handlers.size() > 1 && random.nextInt(100) == 0) {
                    MirrorHandler leaving = handlers.keySet().iterator().next();
                    handlers.remove(leaving).close();
                }
            }
            server.getWell();
            await().atMost(Duration.ofSeconds(30)).until(() -> {
                timers.advance(Duration.ofSeconds(1));
                return informer.hasSynced()
                        && contents(informer).equals(server.objects())
                        && handlers.keySet().stream().allMatch(h -> h.mirror.equals(server.objects()));
            });
            await().until(() -> handlers.values().stream().allMatch(Registration::hasSynced));
            assertThat(informer.health().lastError() instanceof AssertionError)
                    .as("a state that must not follow")
                    .isFalse();
        }
        for (MirrorHandler handler : all) {
            assertThat(handler.faults).isEmpty();
        }
        assertThat(server.openWatches()).isZero();
        assertThat(timers.waiting()).isZero();
    }

    private static Map<Object, Thing> contents(SharedInformer<Thing> informer) {
        Map<Object, Thing> contents = new HashMap<>();
        informer.lister().list().forEach(thing -> contents.put(thing.objectName(), thing));
        return contents;
    }

    private static void addHandler(
            SharedInformer<Thing> informer, Map<MirrorHandler, Registration> handlers, List<MirrorHandler> all) {
        MirrorHandler handler = new MirrorHandler();
        handlers.put(handler, informer.addHandler(handler));
        all.add(handler);
    }

    private static void step(Random random, FakeServer server, ManualTimers timers) {
        String key = "n" + random.nextInt(2) + "/" + random.nextInt(8);
        switch (random.nextInt(20)) {
            case 0 -> server.dropWatches(true);
            case 1 -> server.dropWatches(false);
            case 2 -> server.trim();
            case 3, 4, 5, 6, 7 -> server.delete(key);
            case 8, 9 -> timers.advance(Duration.ofMillis(random.nextInt(3000)));
            default -> server.put(key, String.valueOf(random.nextInt(1000)));
        }
    }
}
