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
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
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
        IN_THE_MIDDLE(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"kind\":\"PodList\",");

        final String words;

        Silence(String words) {
            this.words = words;
        }
    }

    @ParameterizedTest
    @EnumSource(Silence.class)
    @Timeout(60)
    void close_whileAListWaits_doesNotWaitForTheServer(Silence silence) throws Exception {
        Queue<Socket> accepted = new ConcurrentLinkedQueue<>();
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(() -> serve(server, silence, accepted));
            serving.setDaemon(true);
            serving.start();
            String url = "http://127.0.0.1:" + server.getLocalPort();
            try (KubeClient client =
                    KubeClient.of(OkHttpTransport.create(ClientConfig.of(url)), JsonCodec.standard())) {
                closeWhileListing(
                        SharedInformers.factory(client, InformerConfig.DEFAULT.withStreamingList(false)), accepted);
            }
        } finally {
            for (Socket socket : accepted) {
                socket.close();
            }
        }
    }

    private static void closeWhileListing(SharedInformerFactory factory, Queue<Socket> accepted) {
        SharedInformer<Pod> pods = factory.informer(ResourceTypes.PODS);
        factory.start();
        await().until(() -> !accepted.isEmpty() && pods.health().lists() == 1);
        long start = System.nanoTime();
        factory.close();
        assertThat(System.nanoTime() - start)
                .as("nanoseconds; the transport alone would wait for a minute, close() gives up after 30 s")
                .isLessThan(TimeUnit.SECONDS.toNanos(15));
    }

    private static void serve(ServerSocket server, Silence silence, Queue<Socket> accepted) {
        try {
            while (true) {
                Socket socket = server.accept();
                InputStream in = socket.getInputStream();
                in.read();
                socket.getOutputStream().write(silence.words.getBytes(StandardCharsets.UTF_8));
                socket.getOutputStream().flush();
                accepted.add(socket);
            }
        } catch (IOException e) {
            // The test is over.
        }
    }
}
