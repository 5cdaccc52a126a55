/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.canned;

import io.kubeloop.api.client.ApiRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request. The requests of benchmarks have no body.
 *
 * @param target path and query
 * @param headers the headers by name, in lower case
 */
record CannedRequest(String target, Map<String, String> headers) {

    /** The path with which another process requests events. */
    static final String SEND = "/send/";

    /** Reads one request. Returns null at the end of the connection. Blocks. */
    static @Nullable CannedRequest read(InputStream in) throws IOException {
        String line = readLine(in);
        if (line.isEmpty()) {
            return null;
        }
        Map<String, String> headers = new HashMap<>();
        for (String header = readLine(in); !header.isEmpty(); header = readLine(in)) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        return new CannedRequest(line.split(" ", 3)[1], headers);
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = in.read(); read >= 0 && read != '\n'; read = in.read()) {
            if (read != '\r') {
                line.append((char) read);
            }
        }
        return line.toString();
    }

    boolean requestsPods() {
        int query = target.indexOf('?');
        return (query < 0 ? target : target.substring(0, query)).equals("/api/v1/pods");
    }

    boolean requestsWatch() {
        return target.contains("watch=true") || target.contains("watch=1");
    }

    /** Returns whether the client prefers protocol buffers. */
    boolean prefersProtobuf() {
        return headers.getOrDefault("accept", "").startsWith(ApiRequest.PROTOBUF);
    }

    /** Returns the number of events that the request asks the newest watch to send; 0 for another request. */
    int events() {
        return target.startsWith(SEND) ? Integer.parseInt(target.substring(SEND.length())) : 0;
    }

    /** Returns the key of a WebSocket handshake, or null if the request is none. */
    @Nullable
    String webSocketKey() {
        return headers.get("sec-websocket-key");
    }
}
