package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A heartbeat that starts while the watch ends. */
@Timeout(60)
class WatchOutputTest {

    private final List<String> written = new CopyOnWriteArrayList<>();
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch clientReads = new CountDownLatch(1);
    private final ApiStream stream =
            new ScriptedTransport(request -> ScriptedTransport.answer(200, "{}")).stream(ApiRequest.get("/", Map.of()));
    private final WatchOutput output = new WatchOutput(stream, new Recording(), false);

    /** Blocks in each write until the client reads. */
    private final class Recording extends OutputStream {

        @Override
        public void write(int b) {
            writing.countDown();
            try {
                clientReads.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            written.add("byte " + b);
        }

        @Override
        public void close() {
            written.add("close");
        }
    }

    @Test
    void beat_afterTheEnd_isLeftOut() throws Exception {
        clientReads.countDown();

        output.finish();
        output.beat(Duration.ZERO);

        assertThat(written).containsExactly("close");
    }

    @Test
    void finish_duringABeat_waitsForIt() throws Exception {
        Thread beat = new Thread(() -> output.beat(Duration.ZERO));
        beat.start();
        writing.await();
        Thread connection = new Thread(this::finish);
        connection.start();
        await().until(() ->
                connection.getState() == Thread.State.WAITING || connection.getState() == Thread.State.TERMINATED);

        clientReads.countDown();
        connection.join();
        beat.join();

        assertThat(written).containsExactly("byte 10", "close");
    }

    private void finish() {
        try {
            output.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
