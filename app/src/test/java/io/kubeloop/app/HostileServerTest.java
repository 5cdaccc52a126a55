/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.client.KubeClient;
import io.kubeloop.api.core.ConfigMap;
import io.kubeloop.cache.InformerConfig;
import io.kubeloop.cache.SharedInformer;
import io.kubeloop.cache.SharedInformerFactory;
import io.kubeloop.cache.SharedInformers;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.testing.LoopbackServer;
import io.kubeloop.testing.OwnJvm;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ten informers with 128 MB, with the collector of the launcher and with the JVM's default, whose server sends as much
 * as they would read: each reports the error and tries again.
 */
@Timeout(120)
class HostileServerTest {

    /** Takes the server's URL. */
    static final class Informers {

        private Informers() {}

        public static void main(String[] arguments) {
            List<SharedInformerFactory> factories = new ArrayList<>();
            List<SharedInformer<ConfigMap>> informers = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                KubeClient client =
                        KubeClient.of(OkHttpTransport.create(ClientConfig.of(arguments[0])), JsonCodec.standard());
                SharedInformerFactory factory =
                        SharedInformers.factory(client, InformerConfig.DEFAULT.withStreamingList(false));
                informers.add(factory.informer(ResourceTypes.CONFIG_MAPS));
                factories.add(factory);
            }
            factories.forEach(SharedInformerFactory::start);
            await().atMost(40, TimeUnit.SECONDS)
                    .until(() -> informers.stream()
                            .allMatch(informer -> informer.health().errors() >= 2));
            for (SharedInformer<ConfigMap> informer : informers) {
                System.out.println(
                        informer.health().state() + " " + informer.health().lastError());
            }
            System.exit(0);
        }
    }

    private static List<String> run(String collector, byte[] answer) throws IOException, InterruptedException {
        try (LoopbackServer server = new LoopbackServer(socket -> answer(socket, answer))) {
            String printed = OwnJvm.run(
                    List.of("-Xmx128m", "-XX:+Use" + collector, "-XX:+ExitOnOutOfMemoryError"),
                    Informers.class,
                    server.url("http"));
            List<String> states = printed.lines()
                    .filter(line -> line.matches("(LISTING|BACKING_OFF|FAILED|STOPPED) .*"))
                    .toList();
            assertThat(states).as(printed).hasSize(10).noneMatch(line -> line.startsWith("FAILED"));
            return states;
        }
    }

    private static void answer(Socket socket, byte[] answer) throws IOException {
        InputStream in = socket.getInputStream();
        for (int last = 0; last != 0x0d0a0d0a; ) {
            int b = in.read();
            if (b < 0) {
                return;
            }
            last = last << 8 | b;
        }
        socket.getOutputStream().write(answer);
    }

    private static byte[] response(String status, byte[] body) {
        ByteArrayOutputStream response = new ByteArrayOutputStream();
        response.writeBytes(("HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nConnection: close\r\n"
                        + "Content-Length: " + body.length + "\r\n\r\n")
                .getBytes(US_ASCII));
        response.writeBytes(body);
        return response.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SerialGC", "G1GC"})
    void errorThatUnpacksToAGigabyte_isRefusedByItsCode(String collector) throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 1024; i++) {
                gzip.write(zeros);
            }
        }
        assertThat(run(collector, response("503 Unavailable\r\nContent-Encoding: gzip", packed.toByteArray())))
                .allMatch(line -> line.contains("503"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SerialGC", "G1GC"})
    void pagesWithoutEnd_areTooLarge(String collector) throws Exception {
        String page = "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\","
                + "\"continue\":\"more\"},\"items\":[{\"metadata\":{\"name\":\"m\",\"namespace\":\"d\"},"
                + "\"data\":{\"k\":\""
                + "x".repeat(1 << 20) + "\"}}]}";
        assertThat(run(collector, response("200 OK", page.getBytes(US_ASCII))))
                .anyMatch(line -> line.contains("its pages are larger than the memory allows"));
    }
}
