/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager.command.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.command.CommandException;
import io.kubeloop.manager.command.pages.HealthPage.Check;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ManagerHttpTest {

    private volatile String problem = "";
    private final ManagerHttp http = ManagerHttp.bind("127.0.0.1", 0)
            .health("/readyz", () -> List.of(Check.ping("ping"), new Check("informer-sync", () -> problem)))
            .page("/page", "text/plain", () -> "hello".getBytes(StandardCharsets.UTF_8))
            .page("/broken", "text/plain", () -> {
                throw new IllegalStateException("out of order");
            })
            .route("/stream", exchange -> {
                OutputStream out = exchange.replyInChunks(200);
                while (true) {
                    out.write(new byte[8192]);
                    out.flush();
                }
            })
            .start();

    @AfterEach
    void close() {
        http.close();
    }

    private record Answer(int statusCode, String body) {}

    private Answer send(String method, String path) throws Exception {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + http.port() + path).toURL().openConnection();
        connection.setRequestMethod(method);
        connection.setReadTimeout(10_000);
        int code = connection.getResponseCode();
        try (InputStream body = code < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            return new Answer(code, body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), http.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    /** DNS rebinding: a web page whose own name leads to this machine. */
    @Test
    void request_withTheHostOfAnotherMachine_isRefused() throws Exception {
        String rest = "\r\nConnection: close\r\n\r\n";
        assertThat(raw("GET /page HTTP/1.1\r\nHost: evil.example:" + http.port() + rest))
                .startsWith("HTTP/1.1 403");
        assertThat(raw("GET /readyz HTTP/1.1\r\nHost: 127.0.0.1.evil.example" + rest))
                .startsWith("HTTP/1.1 403");
        for (String host : List.of("localhost:1", "127.0.0.1", "[::1]:80", "kubeloop.localhost")) {
            assertThat(raw("GET /page HTTP/1.1\r\nHost: " + host + rest))
                    .as(host)
                    .startsWith("HTTP/1.1 200");
        }
    }

    /** More of each than there were threads once. */
    @Test
    void streamsThatNobodyReads_andBodiesThatNeverEnd_leaveTheHealthPages() throws Exception {
        List<Socket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Socket stream = new Socket(InetAddress.getLoopbackAddress(), http.port());
                stream.getOutputStream()
                        .write("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                Socket body = new Socket(InetAddress.getLoopbackAddress(), http.port());
                body.getOutputStream()
                        .write("POST /page HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nbegin"
                                .getBytes(StandardCharsets.US_ASCII));
                clients.add(stream);
                clients.add(body);
            }
            for (int i = 0; i < 3; i++) {
                assertThat(send("GET", "/readyz").body()).isEqualTo("ok");
            }
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void streamsBeyondTheirBudget_areTurnedAway() throws Exception {
        List<Socket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < ManagerHttp.STREAMS; i++) {
                Socket stream = new Socket(InetAddress.getLoopbackAddress(), http.port());
                stream.getOutputStream()
                        .write("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(stream.getInputStream().read()).isEqualTo('H'); // the handler runs
                clients.add(stream);
            }
            assertThat(send("GET", "/stream").statusCode()).isEqualTo(503);
            assertThat(send("GET", "/readyz").statusCode()).isEqualTo(200);
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    @Test
    void health_withoutProblem_isOk() throws Exception {
        assertThat(send("GET", "/readyz").body()).isEqualTo("ok");
        assertThat(send("GET", "/readyz?verbose").body())
                .isEqualTo("[+]ping ok\n[+]informer-sync ok\nreadyz check passed\n");
        assertThat(send("GET", "/readyz/informer-sync").body()).isEqualTo("ok");
        assertThat(send("GET", "/readyz/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void health_withProblem_saysWhich() throws Exception {
        problem = "pods (403 Forbidden)";
        Answer answer = send("GET", "/readyz");
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("[+]ping ok").contains("[-]informer-sync failed: pods (403 Forbidden)");
    }

    @Test
    void page_unknownOrBrokenOrWritten_getsAClearAnswer() throws Exception {
        assertThat(send("GET", "/page").body()).isEqualTo("hello");
        assertThat(send("GET", "/nothing").statusCode()).isEqualTo(404);
        assertThat(send("GET", "/nothing").body()).contains("/page");
        assertThat(send("POST", "/page").statusCode()).isEqualTo(405);
        assertThat(send("HEAD", "/page")).isEqualTo(new Answer(200, ""));
        assertThat(send("GET", "/broken").statusCode()).isEqualTo(500);
        assertThat(send("GET", "/broken").body()).contains("out of order");
    }

    @Test
    void health_besideRequestsThatNeverEnd_isAnswered() throws Exception {
        try (Socket one = new Socket(InetAddress.getLoopbackAddress(), http.port());
                Socket two = new Socket(InetAddress.getLoopbackAddress(), http.port())) {
            one.getOutputStream().write("GET /readyz HTT".getBytes(StandardCharsets.US_ASCII));
            two.getOutputStream().write("GET /readyz HTT".getBytes(StandardCharsets.US_ASCII));

            for (int i = 0; i < 3; i++) {
                assertThat(send("GET", "/readyz").body()).isEqualTo("ok");
            }
        }
    }

    /** Strangers that send nothing, and those that never end a request, give way to a probe. */
    @Test
    void health_besideManyIdleStrangers_isAnswered() throws Exception {
        List<Socket> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 3 * ManagerHttp.MAX_CONNECTIONS; i++) {
                Socket stranger = new Socket(InetAddress.getLoopbackAddress(), http.port());
                strangers.add(stranger);
                if (i % 2 == 0) {
                    stranger.getOutputStream().write("GET /readyz HTT".getBytes(StandardCharsets.US_ASCII));
                }
                if (i % 32 == 31) {
                    assertThat(send("GET", "/readyz").body()).isEqualTo("ok");
                }
            }
        } finally {
            for (Socket stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void bind_portTaken_saysWhichAndWhy() {
        assertThatThrownBy(() -> ManagerHttp.bind("127.0.0.1", http.port()))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("127.0.0.1:" + http.port())
                .hasMessageContaining("in use");
    }
}
