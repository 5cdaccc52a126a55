/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.websocket;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The server's answer to a request for a WebSocket (RFC 6455, 4.2; upstream: {@code golang.org/x/net/websocket}).
 * Immutable.
 *
 * @param code 101, or the code of a refusal
 * @param headers the headers of the answer
 * @param text the text of a refusal; empty for none
 */
public record WebSocketHandshake(int code, Map<String, String> headers, String text) {

    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final String VERSION = "13";
    private static final String PROTOCOL = "Sec-WebSocket-Protocol";

    /**
     * Returns whether a request is a WebSocket handshake.
     *
     * @param headers returns the values of a header
     */
    public static boolean isRequested(Function<String, List<String>> headers) {
        return first(headers, "Upgrade").equalsIgnoreCase("websocket")
                && headers.apply("Connection").stream()
                        .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("upgrade"));
    }

    /**
     * Returns the answer to such a request. As upstream, a request must name its origin, and it may offer at most one
     * protocol, of any name, which the server accepts.
     *
     * @param headers returns the values of a header
     */
    public static WebSocketHandshake answer(Function<String, List<String>> headers) {
        String key = first(headers, "Sec-WebSocket-Key");
        if (key.isEmpty()) {
            return new WebSocketHandshake(400, Map.of(), "mismatch challenge/response");
        }
        if (!first(headers, "Sec-WebSocket-Version").equals(VERSION)) {
            return new WebSocketHandshake(
                    400, Map.of("Sec-WebSocket-Version", VERSION), "missing or bad WebSocket Version");
        }
        if (!isOrigin(first(headers, "Origin"))) {
            return new WebSocketHandshake(403, Map.of(), "");
        }
        List<String> protocols = protocols(first(headers, PROTOCOL));
        if (protocols.size() > 1) {
            return new WebSocketHandshake(400, Map.of(), "");
        }
        Map<String, String> accepted = new LinkedHashMap<>();
        accepted.put("Upgrade", "websocket");
        accepted.put("Connection", "Upgrade");
        accepted.put("Sec-WebSocket-Accept", accept(key));
        protocols.forEach(protocol -> accepted.put(PROTOCOL, protocol));
        return new WebSocketHandshake(101, accepted, "");
    }

    /**
     * Returns the answer to a request for streams. As upstream, the server selects the first protocol of the client
     * that it supports, and the request needs no origin.
     *
     * @param headers returns the values of a header
     * @param supported the names of the protocols; an empty one for clients that name none
     */
    public static WebSocketHandshake answer(Function<String, List<String>> headers, Collection<String> supported) {
        String key = first(headers, "Sec-WebSocket-Key");
        if (key.isEmpty()) {
            return new WebSocketHandshake(400, Map.of(), "mismatch challenge/response");
        }
        List<String> protocols = new ArrayList<>();
        headers.apply(PROTOCOL).forEach(value -> protocols.addAll(protocols(value.strip())));
        String chosen = protocols.isEmpty()
                ? supported.contains("") ? "" : null
                : protocols.stream().filter(supported::contains).findFirst().orElse(null);
        if (chosen == null) {
            return new WebSocketHandshake(403, Map.of(), "");
        }
        Map<String, String> accepted = new LinkedHashMap<>();
        accepted.put("Upgrade", "websocket");
        accepted.put("Connection", "Upgrade");
        accepted.put("Sec-WebSocket-Accept", accept(key));
        if (!chosen.isEmpty()) {
            accepted.put(PROTOCOL, chosen);
        }
        return new WebSocketHandshake(101, accepted, "");
    }

    /** Returns the selected protocol; empty for none. */
    public String protocol() {
        return headers.getOrDefault(PROTOCOL, "");
    }

    private static String first(Function<String, List<String>> headers, String name) {
        List<String> values = headers.apply(name);
        return values.isEmpty() ? "" : values.get(0).strip();
    }

    private static List<String> protocols(String header) {
        List<String> protocols = new ArrayList<>();
        if (!header.isEmpty()) {
            for (String protocol : header.split(",", -1)) {
                protocols.add(protocol.strip());
            }
        }
        return protocols;
    }

    private static boolean isOrigin(String origin) {
        try {
            return !origin.isEmpty() && (origin.startsWith("/") || new URI(origin).isAbsolute());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static String accept(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK lacks SHA-1", e);
        }
    }
}
