/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.runtime.OwnedThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener when no thread can be created. */
@Timeout(60)
class HttpListenerTest {

    /** Throws the JVM's error when the operating system has no thread left. */
    private static Thread unstartable(Runnable task) {
        return new Thread(task) {
            @Override
            public synchronized void start() {
                throw new OutOfMemoryError("unable to create native thread");
            }
        };
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    @Test
    void threadThatCannotBeStarted_costsThatConnectionAlone_I12() throws Exception {
        AtomicInteger made = new AtomicInteger();
        // The first thread accepts connections, the second serves the first connection.
        OwnedThreads threads = new OwnedThreads(task -> made.incrementAndGet() == 2 ? unstartable(task) : daemon(task));
        // One connection at a time: the failed one must not count.
        HttpListener listener = HttpListener.bind(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                null,
                new ConnectionLimits(
                        1,
                        1 << 20,
                        Duration.ofSeconds(32),
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(90),
                        Duration.ofSeconds(60)),
                exchange -> exchange.reply(200, new byte[0]),
                threads);
        listener.start();

        try (Socket lost = connect(listener)) {
            assertThat(lost.getInputStream().readAllBytes()).isEmpty();
        }
        try (Socket served = connect(listener)) {
            served.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1));
            assertThat(new String(served.getInputStream().readAllBytes(), ISO_8859_1))
                    .startsWith("HTTP/1.1 200 ");
        }

        listener.close();
        assertThat(threads.await(Duration.ZERO)).isTrue();
    }

    /** Idle strangers must not stop the probe of a health page. */
    @Test
    void connectionsWithoutARequest_giveWayToNewOnes() throws Exception {
        OwnedThreads threads = new OwnedThreads(HttpListenerTest::daemon);
        HttpListener listener = HttpListener.bind(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                null,
                new ConnectionLimits(
                        8, // more than the probes, whose connections may still be counted after they have ended
                        1 << 20,
                        Duration.ofSeconds(32),
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(90),
                        Duration.ofSeconds(60)),
                exchange -> exchange.reply(200, new byte[0]),
                threads);
        listener.start();
        List<Socket> strangers = new ArrayList<>();
        Socket kept = connect(listener);
        assertThat(ask(kept, "")).startsWith("HTTP/1.1 200 ");
        for (int i = 0; i < 10; i++) {
            strangers.add(connect(listener));
            strangers.get(i).getOutputStream().write("GET / HT".getBytes(ISO_8859_1));
        }

        for (int i = 0; i < 5; i++) {
            try (Socket probe = connect(listener)) {
                assertThat(ask(probe, "Connection: close\r\n")).startsWith("HTTP/1.1 200 ");
            }
        }

        assertThat(strangers.get(0).getInputStream().read()).isEqualTo(-1);
        assertThat(ask(kept, "Connection: close\r\n")).startsWith("HTTP/1.1 200 ");
        for (Socket stranger : strangers) {
            stranger.close();
        }
        kept.close();
        listener.close();
        assertThat(threads.await(Duration.ZERO)).isTrue();
    }

    private static String ask(Socket client, String header) throws IOException {
        client.getOutputStream().write(("GET / HTTP/1.1\r\nHost: a\r\n" + header + "\r\n").getBytes(ISO_8859_1));
        StringBuilder head = new StringBuilder();
        for (int b = client.getInputStream().read(); b >= 0 && head.indexOf("\r\n\r\n") < 0; ) {
            head.append((char) b);
            b = head.indexOf("\r\n\r\n") < 0 ? client.getInputStream().read() : -1;
        }
        return head.toString();
    }

    private static Socket connect(HttpListener listener) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), listener.address().getPort());
    }
}
