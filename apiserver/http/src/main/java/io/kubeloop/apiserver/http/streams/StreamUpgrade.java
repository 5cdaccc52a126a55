/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import io.kubeloop.apiserver.http.websocket.WebSocketHandshake;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the upgrade of a connection to streams, or refuses it with upstream's answer.
 *
 * @param protocol the selected protocol
 * @param connection the upgraded connection
 */
record StreamUpgrade(String protocol, HttpServerExchange.Upgraded connection) {

    private static final String SPDY = "SPDY/3.1";
    private static final String VERSION = "X-Stream-Protocol-Version";

    /** Returns whether a request is for a WebSocket. */
    static boolean isWebSocket(HttpServerExchange exchange) {
        return WebSocketHandshake.isRequested(exchange::headers);
    }

    /** Accepts a WebSocket with one of the protocols; returns null after a refusal. */
    static @Nullable StreamUpgrade webSocket(HttpServerExchange exchange, Set<String> supported) throws IOException {
        WebSocketHandshake handshake = WebSocketHandshake.answer(exchange::headers, supported);
        handshake.headers().forEach(exchange::setHeader);
        if (handshake.code() != 101) {
            refuse(exchange, handshake.code(), handshake.text());
            return null;
        }
        return new StreamUpgrade(handshake.protocol(), exchange.upgrade(101));
    }

    /**
     * Accepts SPDY with one of the versions; returns null after a refusal.
     *
     * @param supported the versions, the one of clients that name none first
     */
    static @Nullable StreamUpgrade spdy(HttpServerExchange exchange, List<String> supported) throws IOException {
        boolean isSpdy = exchange.headers("Upgrade").stream()
                .anyMatch(value -> value.toUpperCase(Locale.ROOT).contains(SPDY));
        if (!isSpdy) {
            refuse(exchange, 400, "unable to upgrade: missing upgrade headers in request");
            return null;
        }
        List<String> requested = exchange.headers(VERSION);
        String chosen = requested.isEmpty()
                ? supported.get(0)
                : requested.stream().filter(supported::contains).findFirst().orElse("");
        if (chosen.isEmpty()) {
            supported.forEach(version -> exchange.addHeader("X-Accepted-Stream-Protocol-Versions", version));
            refuse(
                    exchange,
                    403,
                    "unable to upgrade: unable to negotiate protocol: client supports " + requested
                            + ", server accepts " + supported);
            return null;
        }
        exchange.setHeader("Connection", "Upgrade");
        exchange.setHeader("Upgrade", SPDY);
        exchange.setHeader(VERSION, chosen);
        return new StreamUpgrade(chosen, exchange.upgrade(101));
    }

    private static void refuse(HttpServerExchange exchange, int code, String text) throws IOException {
        exchange.closeAfterwards();
        exchange.setHeader("Content-Type", "text/plain; charset=utf-8");
        exchange.reply(code, text.getBytes(StandardCharsets.UTF_8));
    }
}
