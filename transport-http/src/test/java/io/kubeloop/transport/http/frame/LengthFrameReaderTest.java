/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.ClientConfig;
import io.kubeloop.transport.http.OkHttpTransport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okio.Buffer;
import okio.ByteString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LengthFrameReaderTest {

    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

    private static LengthFrameReader reader(String hex, long maxFrameBytes) {
        return new LengthFrameReader("watch", new Buffer().write(ByteString.decodeHex(hex)), maxFrameBytes);
    }

    private static byte @Nullable [] next(LengthFrameReader reader) throws IOException {
        ByteBuffer frame = reader.nextShared();
        if (frame == null) {
            return null;
        }
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    @Test
    void next_framesOfAnyLength_areGivenOutWhole() throws IOException {
        LengthFrameReader reader = reader("00000002" + "0a7b" + "00000000" + "00000001" + "ff", 2);

        assertThat(next(reader)).containsExactly(0x0a, 0x7b);
        assertThat(next(reader)).isEmpty();
        assertThat(next(reader)).containsExactly(0xff);
        assertThat(next(reader)).isNull();
        assertThat(next(reader)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "000000", "00000001", "0000000201"})
    void next_cutOff_saysSo(String hex) {
        // SW-02
        assertThatThrownBy(() -> next(reader(hex, 100)))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNEXPECTED_EOF))
                .hasMessageStartingWith("watch: the stream ended inside a frame, after ");
    }

    @ParameterizedTest
    @CsvSource({"00000003010203, 3", "ffffffff, 4294967295"})
    void next_tooLarge_isRefusedBeforeItIsRead(String hex, long length) {
        assertThatThrownBy(() -> next(reader(hex, 2)))
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TOO_LARGE))
                .hasMessage("watch: a frame of " + length + " bytes is larger than the 2 allowed");
    }

    @Test
    void stream_ofThisMediaType_isCutByLength_ifItWasAskedFor() {
        try (MockWebServer server = new MockWebServer()) {
            for (int i = 0; i < 2; i++) {
                server.enqueue(new MockResponse.Builder()
                        .addHeader("Content-Type", PROTOBUF + ";stream=watch")
                        .body(new Buffer().write(ByteString.decodeHex("000000020a7b")))
                        .build());
            }
            server.start();
            try (OkHttpTransport transport =
                    OkHttpTransport.create(ClientConfig.of(server.url("/").toString()))) {
                String accept = PROTOBUF + ";stream=watch,application/json";
                try (ApiStream stream = transport.stream(new ApiRequest("GET", "/api", Map.of(), accept, null, null))) {
                    assertThat(stream.next()).containsExactly(0x0a, 0x7b);
                    assertThat(stream.next()).isNull();
                }
                assertThatThrownBy(() -> transport.stream(ApiRequest.get("/api", Map.of())))
                        .hasMessageContaining("the response is " + PROTOBUF + ";stream=watch instead of JSON");
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
