package io.kubeloop.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The whole pipeline on a scripted server, in stepped time. */
@Timeout(60)
class SharedInformerTest {

    private final ManualTimers timers = new ManualTimers();
    private final ScriptedSource source = new ScriptedSource();
    private final InformerConfig config =
            InformerConfig.DEFAULT.withTimers(timers).withRandom(() -> 0).withStreamingList(false);
    private final SharedInformer<Thing> informer = SharedInformers.informer(Thing.TYPE, source, config);

    @AfterEach
    void close() {
        informer.close();
        assertThat(source.openStreams).hasValue(0);
    }

    @Test
    void start_listAndWatch_fillsCacheAndTellsHandler() throws Exception {
        RecordingHandler handler = new RecordingHandler();
        Registration registration = informer.addHandler(handler);
        source.list("10", Thing.of("n/a", "3"), Thing.of("m/b", "5"));
        informer.start();
        assertThat(handler.take(2)).containsExactly("add n/a@3 initial", "add m/b@5 initial");
        ScriptedSource.Stream watch = source.nextWatch();
        watch.added(Thing.of("n/c", "11"))
                .modified(Thing.of("n/a", "12", "x"))
                .deleted(Thing.of("m/b", "13"))
                .bookmark("20");
        assertThat(handler.take(3)).containsExactly("add n/c@11", "update n/a@3 -> n/a@12=x", "delete m/b@13");
        assertThat(source.takeRequests()).containsExactly("list rv=0 limit=500", "watch rv=10");
        await().until(() -> informer.lastSyncResourceVersion().equals("20"));
        await().until(registration::hasSynced);
        assertThat(informer.hasSynced()).isTrue();
        assertThat(informer.lister().list("n")).hasSize(2);
        assertThat(informer.lister().list()).hasSize(2);
        assertThat(informer.byIndex(Indexers.NAMESPACE, "m")).isEqualTo(List.of());
    }
}
