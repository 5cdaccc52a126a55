/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.apiserver.http.HttpApiServer.Config;
import io.kubeloop.apiserver.rest.ClientPresence;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of a client, tested byte by byte over a socket. */
@Timeout(60)
@Isolated("looks at all threads")
class HttpLimitsTest {

    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration FEW_SECONDS = Duration.ofSeconds(2);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final String POST = "POST /api/v1/namespaces/d/pods HTTP/1.1\r\nHost: localhost\r\n";
    private static final String GET = "GET /version HTTP/1.1\r\nHost: localhost\r\n";

    @TempDir
    Path dir;

    private final HttpLimits patient = new HttpLimits(4096, 1000, LONG, LONG, LONG, LONG);
    private final List<AutoCloseable> opened = new ArrayList<>();
    private HttpApiServer httpServer;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private void serve(HttpLimits limits) {
        ScriptedServer scripted = new ScriptedServer(request -> ScriptedServer.answer(200, "{}"));
        httpServer = HttpApiServer.start(
                ScriptedServer.RESOURCES,
                Config.DEFAULT.withMaxBodyBytes(1000).withIdleWatch(SHORT).withLimits(limits),
                scripted);
        opened.add(0, httpServer);
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), httpServer.port());
        opened.add(0, socket);
        return socket;
    }

    private Socket send(String text) throws IOException {
        Socket socket = connect();
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        return socket;
    }

    /** Returns everything up to the end of the connection. */
    private static String rest(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        try {
            InputStream in = socket.getInputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                text.append((char) b);
            }
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset"); // a reset is an end too
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET /ver", GET, GET + "Accept: "})
    void slowHeaders_closeTheConnectionWithoutAnAnswer(String sent) throws Exception {
        serve(patient.withHeaderTimeout(SHORT).withIdleTimeout(SHORT));
        assertThat(rest(send(sent))).isEmpty();
    }

    @Test
    void clientThatLeaves_endsWhatItsRequestWaitsFor() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch left = new CountDownLatch(1);
        ScriptedServer scripted = new ScriptedServer(request -> {
            Runnable ended = ClientPresence.watch(left::countDown);
            waits.countDown();
            try {
                left.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            ended.run();
            return ScriptedServer.answer(200, "{}");
        });
        httpServer = HttpApiServer.start(ScriptedServer.RESOURCES, Config.DEFAULT.withIdleWatch(SHORT), scripted);
        opened.add(0, httpServer);

        Socket client = send("POST /api/v1/namespaces/a/configmaps HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
        waits.await();
        assertThat(left.getCount()).isEqualTo(1);
        client.close();

        assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void slowHeaders_aByteNowAndThen_doesNotBuyTime() throws Exception {
        serve(patient.withHeaderTimeout(Duration.ofMillis(300)));
        Socket socket = send(GET + "X: ");
        Thread drip = new Thread(() -> {
            try {
                OutputStream out = socket.getOutputStream();
                while (true) {
                    out.write('x');
                    java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
                }
            } catch (IOException e) {
                assertThat(e).isInstanceOf(SocketException.class); // the server has closed the connection, as expected
            }
        });
        drip.start();

        assertThat(rest(socket)).isEmpty();
        drip.join();
    }

    @Test
    void slowBody_closesTheConnection() throws Exception {
        serve(patient.withBodyTimeout(SHORT));
        Socket socket =
                send("POST /api/v1/namespaces/d/pods HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{");
        assertThat(rest(socket)).isEmpty();
    }

    @Test
    void idleConnection_isClosedAfterItsLastRequest() throws Exception {
        // Long enough for the request to arrive, because the connection is idle before it too.
        serve(patient.withIdleTimeout(FEW_SECONDS));
        assertThat(rest(send(GET + "\r\n"))).startsWith("HTTP/1.1 200 OK\r\n").contains("gitVersion");
    }

    @Test
    void limitsThatNoClockHolds_areNone() throws Exception {
        Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
        ScriptedServer scripted = new ScriptedServer(request -> ScriptedServer.answer(200, "{}"));
        httpServer = HttpApiServer.start(
                ScriptedServer.RESOURCES,
                Config.DEFAULT
                        .withIdleWatch(forever)
                        .withLimits(new HttpLimits(10, 1000, forever, forever, forever, forever)),
                scripted);
        opened.add(0, httpServer);

        assertThat(rest(send(POST + "Connection: close\r\nContent-Length: 2\r\n\r\n{}")))
                .startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void requestsOneAfterTheOther_areServedOnOneConnection() throws Exception {
        serve(patient);
        String all = rest(send(GET + "\r\n" + "POST /api/v1/namespaces/d/pods HTTP/1.1\r\nHost: localhost\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n1;x=y\r\n{\r\n1\r\n}\r\n0\r\nT: t\r\n\r\n"
                + GET + "Connection: close\r\n\r\n"));
        assertThat(all.split("HTTP/1.1 200 OK", -1)).hasSize(4);
    }

    @Test
    void clientThatWaitsForItsTurn_isInvitedToSendTheBody() throws Exception {
        serve(patient);
        Socket socket = send(POST + "Expect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\n");
        byte[] invitation = socket.getInputStream().readNBytes(25);
        assertThat(new String(invitation, ISO_8859_1)).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
        socket.getOutputStream().write("{}".getBytes(ISO_8859_1));
        assertThat(rest(socket)).startsWith("HTTP/1.1 200 OK");
    }

    @Test
    void largeHeaders_areRefused() throws Exception {
        serve(patient);
        assertThat(rest(send(GET + "X: " + "x".repeat(5000) + "\r\n\r\n"))).startsWith("HTTP/1.1 431 ");
    }

    @Test
    void largeBody_isRefusedInUpstreamsWordsThoughTheClientStillSends() throws Exception {
        serve(patient);
        // Small enough to be sent with one write, because the server reads on for half a second only.
        String answer = rest(send(POST + "Content-Length: 50000\r\n\r\n" + "x".repeat(50_000)));
        assertThat(answer)
                .startsWith("HTTP/1.1 413 ")
                .contains(
                        "Connection: close",
                        "\"message\":\"Request entity too large: limit is 1000\"",
                        "\"reason\":\"RequestEntityTooLarge\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET / HTTP/1.1|400",
                "GET  / HTTP/1.1~Host: a|400",
                "GET / HTTP/2.0~Host: a|505",
                "GET /%zz HTTP/1.1~Host: a|400",
                "GET version HTTP/1.1~Host: a|400",
                "GET / HTTP/1.1~Host: a~Host: b|400",
                "GET / HTTP/1.1~Host : a|400",
                "GET / HTTP/1.1~Host: a~ folded|400",
                "POST / HTTP/1.1~Host: a~Content-Length: 1~Content-Length: 2|400",
                "POST / HTTP/1.1~Host: a~Content-Length: -1|400",
                "POST / HTTP/1.1~Host: a~Content-Length: 1~Transfer-Encoding: chunked|400",
                "POST / HTTP/1.1~Host: a~Transfer-Encoding: gzip, chunked|501",
                "POST /api/v1/namespaces/d/pods HTTP/1.1~Host: localhost~Transfer-Encoding: chunked~~zz|400",
                "POST /api/v1/namespaces/d/pods HTTP/1.1~Host: localhost~Transfer-Encoding: chunked~~1~{}x|400",
            })
    void requestThatTwoReadersCouldReadDifferently_isRefused(String lines, int code) throws Exception {
        serve(patient);
        assertThat(rest(send(lines.replace("~", "\r\n") + "\r\n\r\n"))).startsWith("HTTP/1.1 " + code + " ");
    }

    @Test
    void oldClient_getsItsAnswerAndTheEnd() throws Exception {
        serve(patient);
        assertThat(rest(send("GET /healthz HTTP/1.0\r\n\r\n")))
                .endsWith("\r\n\r\nok")
                .contains("Connection: close");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET /ver"})
    void connectionsBeyondTheBound_closeTheOneWithoutARequest(String sent) throws Exception {
        serve(patient.withMaxConnections(2));
        Socket served = send(GET + "\r\n");
        assertThat(served.getInputStream().read()).isEqualTo('H');
        Socket stranger = send(sent);

        assertThat(rest(send(GET + "Connection: close\r\n\r\n"))).startsWith("HTTP/1.1 200");

        assertThat(rest(stranger)).isEmpty();
        served.getOutputStream().write((GET + "Connection: close\r\n\r\n").getBytes(ISO_8859_1));
        assertThat(rest(served)).contains("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void clientThatDoesNotRead_isCutOff(boolean tls) throws Exception {
        TestCertificate made = TestCertificate.make(dir);
        ScriptedServer endless = new ScriptedServer(request -> ScriptedServer.answer(200, "{}"));
        httpServer = HttpApiServer.start(
                ScriptedServer.RESOURCES,
                Config.DEFAULT
                        .withIdleWatch(SHORT)
                        .withLimits(patient.withWriteTimeout(tls ? FEW_SECONDS : SHORT)) // also covers the handshake
                        .withTls(tls ? ServingCertificate.load(made.certificate(), made.key()) : null),
                endless);
        opened.add(0, httpServer);
        Socket raw = connect();
        Socket socket =
                tls ? made.trusting().getSocketFactory().createSocket(raw, "127.0.0.1", httpServer.port(), true) : raw;
        socket.getOutputStream()
                .write("GET /api/v1/pods?watch=true HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(ISO_8859_1));
        String object = "{\"a\":\"" + "x".repeat(1 << 20) + "\"}";
        for (int i = 0; i < 64; i++) {
            endless.frame("ADDED", object);
        }
        endless.watchClosed.await();
        httpServer.close();
        assertThat(threadsOfFaces()).isEmpty();
    }

    @Test
    void close_leavesNoThreadOfItsOwn_I12() throws Exception {
        serve(patient);
        Socket idle = send(GET + "\r\n");
        Socket watching = send("GET /api/v1/pods?watch=true HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Socket halfway = send("GET /");
        assertThat(idle.getInputStream().read()).isEqualTo('H');
        assertThat(watching.getInputStream().read()).isEqualTo('H');

        httpServer.close();

        assertThat(rest(idle)).isNotEmpty();
        assertThat(rest(watching)).endsWith("0\r\n\r\n");
        assertThat(rest(halfway)).isEmpty();
        assertThat(threadsOfFaces()).isEmpty();
    }

    private static List<String> threadsOfFaces() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("kubeloop-http-"))
                .toList();
    }

    @Test
    void limits_thatMakeNoSense_areRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> patient.withMaxConnections(0));
        assertThatIllegalArgumentException().isThrownBy(() -> patient.withMaxHeaderBytes(0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> patient.withHeaderTimeout(Duration.ZERO))
                .withMessageContaining("headerTimeout");
    }
}
