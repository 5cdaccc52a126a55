/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.Pod;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.LoopbackServer;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** I12 over a real socket: an informer closes at once, wherever its server stopped answering. */
class SilentServerTest {

    /** What the server says before it falls silent. */
    enum Silence {
        /** Nothing: the list waits for headers. */
        BEFORE_THE_HEADERS(""),
        /** Headers and the beginning of a body: the list waits for the rest. */
        IN_THE_MIDDLE("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                + "1000\r\n\r\n{\"kind\":\"PodList\",");

        final String words;

        Silence(String words) {
            this.words = words;
        }
    }

    @ParameterizedTest
    @EnumSource(Silence.class)
    @Timeout(60)
    void close_whileAListWaits_doesNotWaitForTheServer(Silence silence) throws Exception {
        CountDownLatch accepted = new CountDownLatch(1);
        try (LoopbackServer server = new LoopbackServer(socket -> {
            socket.getInputStream().read();
            LoopbackServer.write(socket, silence.words);
            accepted.countDown();
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        })) {
            String url = server.url("http");
            try (KubeClient client =
                    KubeClient.of(OkHttpTransport.create(ClientConfig.of(url)), JsonCodec.standard())) {
                closeWhileListing(
                        SharedInformers.factory(client, InformerConfig.DEFAULT.withStreamingList(false)), accepted);
            }
        }
    }

    private static void closeWhileListing(SharedInformerFactory factory, CountDownLatch accepted) {
        SharedInformer<Pod> pods = factory.informer(ResourceTypes.PODS);
        factory.start();
        await().until(() -> accepted.getCount() == 0 && pods.health().lists() == 1);
        long start = System.nanoTime();
        factory.close();
        assertThat(System.nanoTime() - start)
                .as("nanoseconds; the transport alone would wait for a minute, close() gives up after 30 s")
                .isLessThan(TimeUnit.SECONDS.toNanos(15));
    }
}
