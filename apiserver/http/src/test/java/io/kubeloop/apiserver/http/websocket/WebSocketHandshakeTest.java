/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebSocketHandshakeTest {

    /** The example of RFC 6455, 1.3. */
    private static final Map<String, String> VALID = Map.of(
            "Upgrade", "websocket",
            "Connection", "keep-alive, Upgrade",
            "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version", "13",
            "Origin", "http://example.com");

    private static Function<String, List<String>> headers(Map<String, String> changes) {
        Map<String, String> all = new HashMap<>(VALID);
        all.putAll(changes);
        return name -> all.getOrDefault(name, "").isEmpty() ? List.of() : List.of(all.get(name));
    }

    @Test
    void answer_isThatOfTheStandard() {
        WebSocketHandshake answer = WebSocketHandshake.answer(headers(Map.of()));

        assertThat(answer.code()).isEqualTo(101);
        assertThat(answer.headers())
                .containsEntry("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                .containsEntry("Upgrade", "websocket")
                .containsEntry("Connection", "Upgrade")
                .doesNotContainKey("Sec-WebSocket-Protocol");
    }

    @ParameterizedTest
    @CsvSource({
        "Upgrade,h2c,false",
        "Upgrade,'',false",
        "Upgrade,WebSocket,true",
        "Connection,keep-alive,false",
        "Connection,upgrade,true",
    })
    void request_isOneForAWebSocket_whenBothHeadersSaySo(String name, String value, boolean expected) {
        assertThat(WebSocketHandshake.isRequested(headers(Map.of(name, value)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-WebSocket-Key,'',400",
        "Sec-WebSocket-Version,8,400",
        "Sec-WebSocket-Version,'',400",
        "Origin,'',403",
        "Origin,'a b',403",
        "Sec-WebSocket-Protocol,'a, b',400",
    })
    void request_thatLacksAPart_isRefusedAsUpstreamDoes(String name, String value, int code) {
        assertThat(WebSocketHandshake.answer(headers(Map.of(name, value))).code())
                .isEqualTo(code);
    }

    @Test
    void protocol_isAcceptedWhateverItIs() {
        Map<String, String> offer = Map.of("Sec-WebSocket-Protocol", "base64.binary.k8s.io");
        assertThat(WebSocketHandshake.answer(headers(offer)).headers())
                .containsEntry("Sec-WebSocket-Protocol", "base64.binary.k8s.io");
    }
}
