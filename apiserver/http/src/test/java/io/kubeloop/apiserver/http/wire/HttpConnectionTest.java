/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.kubeloop.apiserver.http.TestCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The resources that a client without reads can hold, over sockets with very small buffers. */
@Timeout(60)
class HttpConnectionTest {

    @TempDir
    Path dir;

    private ClientSocket.Listener listener;
    private Socket client;
    private ClientSocket accepted;

    @BeforeEach
    void connect() throws IOException {
        listener = new ClientSocket.Listener();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = new Socket();
        client.setReceiveBufferSize(1);
        client.connect(listener.getLocalSocketAddress());
        accepted = listener.accept();
        accepted.setSendBufferSize(1);
    }

    @AfterEach
    void close() throws IOException {
        client.close();
        accepted.close();
        listener.close();
    }

    private static final ConnectionLimits LIMITS = new ConnectionLimits(
            10,
            1 << 20,
            Duration.ofSeconds(32),
            Duration.ofSeconds(60),
            Duration.ofSeconds(90),
            Duration.ofSeconds(60));

    private static long ago(Duration time) {
        return System.nanoTime() - time.toNanos();
    }

    @Test
    void handshakeWhoseClientDoesNotRead_isSeenToBeBlockedAndCanBeCut() throws Exception {
        String names = IntStream.range(0, 1000)
                .mapToObj(i -> "dns:host-" + i + ".example")
                .collect(Collectors.joining(","));
        HttpConnection connection =
                new HttpConnection(accepted, TestCertificate.make(dir, names).serving(), LIMITS, exchange -> {});
        Thread server = new Thread(connection::serve);
        server.start();

        client.getOutputStream().write(clientHello());

        await().until(() -> connection.isBlockedSince(ago(Duration.ofMillis(200))));
        connection.abort();
        server.join();
    }

    private static byte[] clientHello() throws Exception {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine("localhost", 1);
        engine.setUseClientMode(true);
        ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        byte[] bytes = new byte[hello.flip().remaining()];
        hello.get(bytes);
        return bytes;
    }

    @Test
    void clientThatCloses_isFoundWithoutSendingAnything_andWhatItSentBeforeIsNotLost() throws Exception {
        accepted.allow(Duration.ofSeconds(30));
        assertThat(accepted.hasEnded()).isFalse();
        client.getOutputStream().write(new byte[] {1, 2, 3});
        await().until(() -> {
            assertThat(accepted.hasEnded()).isFalse();
            return client.getInputStream().available() == 0;
        });

        client.shutdownOutput();

        await().until(accepted::hasEnded);
        assertThat(accepted.getInputStream().readAllBytes()).containsExactly(1, 2, 3);
        assertThat(client.getInputStream().available()).isZero();
    }

    @Test
    void clientThatHasSentMoreThanIsKept_isNotTakenForGone() throws Exception {
        accepted.allow(Duration.ofSeconds(30));
        byte[] request = new byte[1000];
        Arrays.fill(request, (byte) 7);
        client.getOutputStream().write(request);
        client.shutdownOutput();

        for (int i = 0; i < 20; i++) {
            assertThat(accepted.hasEnded()).isFalse();
        }

        assertThat(accepted.getInputStream().readAllBytes()).isEqualTo(request);
    }

    @Test
    void write_toAClientThatReadsSlowly_isNotTakenForBlocked() throws Exception {
        OutputStream out = accepted.getOutputStream();
        byte[] answer = new byte[4 << 20];
        Thread writer = new Thread(() -> {
            try {
                out.write(answer);
            } catch (IOException e) {
                assertThat(e).as("the test is over").isNotNull();
            }
        });
        writer.start();
        await().until(() -> accepted.isBlockedSince(ago(Duration.ofMillis(100))));
        long blocked = System.nanoTime();

        client.getInputStream().readNBytes(1 << 20);

        await().until(() -> !accepted.isBlockedSince(blocked));
        assertThat(writer.isAlive()).isTrue();
        client.close();
        writer.join();
        assertThat(accepted.isBlockedSince(System.nanoTime())).isFalse();
    }
}
