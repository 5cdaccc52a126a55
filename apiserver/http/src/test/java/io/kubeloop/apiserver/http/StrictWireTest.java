/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.kinds.BuiltInKinds;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that two servers on the way could read differently are refused (RFC 9112), and large heads share a budget. */
@Timeout(60)
class StrictWireTest {

    private static final String PATH = "/api/v1/namespaces/default/configmaps?dryRun=All";
    private static final String BODY = "{\"metadata\":{\"name\":\"a\"}}";

    private static final ApiServer SERVER = ApiServer.builder().build(BuiltInKinds.create());
    private static final HttpApiServer HTTP = HttpApiServer.start(SERVER, HttpApiServer.Config.DEFAULT);

    @AfterAll
    static void close() {
        HTTP.close();
        SERVER.close();
    }

    private static String send(String text) throws Exception {
        try (RawClient client = new RawClient(HTTP.port())) {
            client.send(text.getBytes(StandardCharsets.ISO_8859_1));
            return client.drain();
        }
    }

    private static String post(String headers, String body) {
        return "POST " + PATH + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + headers + "\r\n"
                + body;
    }

    private static String chunked(String body) {
        return post("Transfer-Encoding: chunked\r\n", body);
    }

    private static String chunk(String extension) {
        return Integer.toHexString(BODY.length()) + extension + "\r\n" + BODY + "\r\n";
    }

    @Test
    void usualRequests_areServed() throws Exception {
        assertThat(send(chunked(chunk("") + "0\r\n\r\n"))).startsWith("HTTP/1.1 201 ");
        assertThat(send(chunked(chunk(" ;a=b") + "0;x\r\nX-Trailer: y\r\n\r\n")))
                .startsWith("HTTP/1.1 201 ");
        assertThat(send(post("X: \t a\tb \t\r\nTransfer-Encoding: \tchunked \r\n", chunk("") + "0\r\n\r\n")))
                .startsWith("HTTP/1.1 201 ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u000bchunked",
                "chunked\u000c",
                "\u001cchunked",
                "chunked\r",
                "\rchunked",
                "chunked\u0085",
                "chunked\u00a0"
            })
    void blanksThatAreNone_aroundChunked_areRefused(String coding) throws Exception {
        assertThat(send(post("Transfer-Encoding: " + coding + "\r\n", chunk("") + "0\r\n\r\n")))
                .matches("(?s)HTTP/1.1 (400|501) .*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\rb", "a\u0000b", "a\u007fb", "a\u001bb"})
    void controlCharacters_inHeaders_areRefused(String value) throws Exception {
        assertThat(send("GET /version HTTP/1.1\r\nHost: localhost\r\nX: " + value + "\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void chunks_areStrict() throws Exception {
        String size = Integer.toHexString(BODY.length());
        for (String bad : List.of(
                size + "\n" + BODY + "\r\n0\r\n\r\n",
                size + "\r\n" + BODY + "\n0\r\n\r\n",
                chunk("") + "0\r\n\n",
                chunk("") + "0\r\nno colon\r\n\r\n",
                chunk("") + "0\r\n: x\r\n\r\n",
                chunk("") + "0\r\nX: a\u0000\r\n\r\n",
                chunk("\u000b") + "0\r\n\r\n",
                chunk(";a\rb") + "0\r\n\r\n")) {
            assertThat(send(chunked(bad))).as(bad).startsWith("HTTP/1.1 400 ");
        }
    }

    /** Extensions mean nothing to the server, so a client must not keep it busy with them. */
    @Test
    void extensions_withoutEnd_areRefused() throws Exception {
        String part = "1;" + "x".repeat(4_000) + "\r\n \r\n";
        assertThat(send(chunked(part.repeat(1_000))))
                .startsWith("HTTP/1.1 400 ")
                .contains("too long");
    }

    /**
     * Clients that send large heads and never end them get 503 once they hold a sixteenth of the heap; others are
     * served.
     */
    @Test
    void unfinishedHeads_shareABudget() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try {
            byte[] head = ("GET /version HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(1_000_000))
                    .getBytes(StandardCharsets.ISO_8859_1);
            long budget = Runtime.getRuntime().maxMemory() / 16;
            for (long sent = 0; sent < Math.min(budget + (8 << 20), 90L << 20); sent += head.length) {
                RawClient client = new RawClient(HTTP.port());
                clients.add(client);
                client.send(head);
            }
            try (RawClient other = new RawClient(HTTP.port())) {
                assertThat(other.get("/version")).startsWith("HTTP/1.1 200 ");
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }
}
