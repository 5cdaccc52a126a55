/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import okio.Buffer;
import okio.BufferedSink;
import okio.GzipSink;
import okio.Okio;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streaming lists that the server compresses, as kube-apiserver 1.37 does. */
@Timeout(60)
class CompressedStreamTest {

    private static final ApiRequest STREAMING_LIST = ApiRequest.get(
            "/api/v1/pods", Map.of("watch", "true", "sendInitialEvents", "true", "allowWatchBookmarks", "true"));

    @StartStop
    final MockWebServer server = new MockWebServer();

    private static Buffer member(String content) throws IOException {
        Buffer bytes = new Buffer();
        try (BufferedSink sink = Okio.buffer(new GzipSink(bytes))) {
            sink.writeUtf8(content);
        }
        return bytes;
    }

    private static MockResponse.Builder gzip(Buffer body) {
        return new MockResponse.Builder().addHeader("Content-Encoding", "gzip").chunkedBody(body, 11);
    }

    private OkHttpTransport transport() {
        return OkHttpTransport.create(ClientConfig.of(server.url("/").toString()));
    }

    private static String text(byte[] frame) {
        return new String(frame, UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"true, false, gzip", "true, true, identity", "false, false, identity", "'', false, identity"})
    void stream_asksForGzipOfStreamingListsOnly(String initialEvents, boolean disabled, String accepted)
            throws InterruptedException {
        server.enqueue(new MockResponse.Builder().body("{}").build());
        ClientConfig config = ClientConfigBuilder.builder()
                .server(server.url("/").toString())
                .disableCompression(disabled)
                .build();
        Map<String, String> query = initialEvents.isEmpty() ? Map.of() : Map.of("sendInitialEvents", initialEvents);
        try (OkHttpTransport transport = OkHttpTransport.create(config);
                ApiStream stream = transport.stream(ApiRequest.get("/api/v1/pods", query))) {
            assertThat(stream.next()).asString(UTF_8).isEqualTo("{}");
        }

        assertThat(server.takeRequest().getHeaders().get("Accept-Encoding")).isEqualTo(accepted);
    }

    @Test
    void next_memberForEachFlush_yieldsEveryFrame() throws IOException {
        Buffer body = member("{\"n\":1}\n{\"n\":2}\n");
        body.writeAll(member("{\"n\":3}\n"));
        body.writeAll(member("{\"n\":4}\n"));
        server.enqueue(gzip(body).build());

        try (OkHttpTransport transport = transport();
                ApiStream stream = transport.stream(STREAMING_LIST)) {
            for (int i = 1; i <= 4; i++) {
                assertThat(text(stream.next())).isEqualTo("{\"n\":" + i + "}");
            }
            assertThat(stream.next()).isNull();
        }
    }

    @Test
    void next_quietWatch_yieldsAFrameBeforeTheNextMemberIsSent() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        try (RawServer raw = new RawServer((socket, line) -> {
                    RawServer.write(socket, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n");
                    socket.getOutputStream().write(member("{\"n\":1}\n").readByteArray());
                    socket.getOutputStream().flush();
                    read.await();
                    socket.getOutputStream().write(member("{\"n\":2}\n").readByteArray());
                });
                OkHttpTransport transport = OkHttpTransport.create(ClientConfig.of(raw.url()));
                ApiStream stream = transport.stream(STREAMING_LIST)) {
            assertThat(text(stream.next())).isEqualTo("{\"n\":1}");
            read.countDown();
            assertThat(text(stream.next())).isEqualTo("{\"n\":2}");
        }
    }

    @Test
    void next_endInsideAFrame_isAnUnexpectedEnd() throws IOException {
        Buffer whole = member("{\"n\":1}\n{\"text\":\"" + "long ".repeat(100) + "\"}");
        Buffer cut = new Buffer();
        cut.write(whole, whole.size() - 12);
        server.enqueue(gzip(cut).build());

        try (OkHttpTransport transport = transport();
                ApiStream stream = transport.stream(STREAMING_LIST)) {
            assertThat(text(stream.next())).isEqualTo("{\"n\":1}");
            TransportException failure = catchThrowableOfType(TransportException.class, stream::next);

            assertThat(failure.kind()).isEqualTo(Kind.UNEXPECTED_EOF);
            assertThat(failure).hasMessageContaining("GET /api/v1/pods at ");
        }
    }

    @Test
    void next_noGzip_isBroken() {
        server.enqueue(gzip(new Buffer().writeUtf8("{\"n\":1}")).build());

        try (OkHttpTransport transport = transport();
                ApiStream stream = transport.stream(STREAMING_LIST)) {
            TransportException failure = catchThrowableOfType(TransportException.class, stream::next);

            assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
            assertThat(failure).hasMessageEndingWith("bad gzip: a member begins with 7b22");
        }
    }

    @Test
    void next_bomb_isReadNoFurtherThanTheLargestFrame() throws IOException {
        server.enqueue(
                gzip(member("{\"text\":\"" + " ".repeat(64 << 20) + "\"}")).build());
        try (OkHttpTransport transport = OkHttpTransport.builder(
                                ClientConfig.of(server.url("/").toString()))
                        .maxFrameBytes(1 << 20)
                        .build();
                ApiStream stream = transport.stream(STREAMING_LIST)) {
            TransportException failure = catchThrowableOfType(TransportException.class, stream::next);

            assertThat(failure.kind()).isEqualTo(Kind.TOO_LARGE);
        }
    }

    @Test
    void next_compressedError_isReadable() throws IOException {
        server.enqueue(gzip(member("{\"code\":403}")).code(403).build());

        try (OkHttpTransport transport = transport();
                ApiStream stream = transport.stream(STREAMING_LIST)) {
            assertThat(stream.code()).isEqualTo(403);
            assertThat(text(stream.next())).isEqualTo("{\"code\":403}");
        }
    }
}
