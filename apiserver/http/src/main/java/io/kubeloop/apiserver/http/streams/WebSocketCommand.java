/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import io.kubeloop.apiserver.http.websocket.WebSocketOutput;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The streams of a command as the channels of a WebSocket: 0 to 2 as file descriptors, 3 the result, 4 resizes. */
final class WebSocketCommand implements CommandConnection {

    private static final Logger log = LoggerFactory.getLogger(WebSocketCommand.class);

    private static final int OUT = 1;
    private static final int ERR = 2;
    private static final int RESULT = 3;

    private final StreamUpgrade upgrade;
    private final WebSocketOutput out;
    private final Wanted wanted;
    private final ChannelMessages messages;
    private final StreamBuffer in = new StreamBuffer();

    WebSocketCommand(StreamUpgrade upgrade, WebSocketOutput out, Wanted wanted) {
        this.upgrade = upgrade;
        this.out = out;
        this.wanted = wanted;
        if (!wanted.in()) {
            in.end();
        }
        List<@Nullable StreamBuffer> channels = new ArrayList<>();
        channels.add(wanted.in() ? in : null);
        this.messages = new ChannelMessages(out, upgrade.protocol(), channels);
    }

    ChannelMessages messages() {
        return messages;
    }

    void inputEnded() {
        messages.readingEnded();
        in.end();
    }

    /** Sends an empty message, by which clients learn that the connection is open. */
    void announce() throws IOException {
        messages.send(wanted.out() ? OUT : wanted.err() ? ERR : RESULT, new byte[0], 0, 0);
    }

    @Override
    public InputStream in() {
        return in;
    }

    @Override
    public OutputStream out() {
        return wanted.out() ? messages.channel(OUT) : OutputStream.nullOutputStream();
    }

    @Override
    public OutputStream err() {
        return wanted.err() && !wanted.tty() ? messages.channel(ERR) : OutputStream.nullOutputStream();
    }

    @Override
    public void finish(JsonObject status) throws IOException {
        byte[] result = resultOf(status, upgrade.protocol());
        if (result.length > 0) {
            messages.send(RESULT, result, 0, result.length);
        }
    }

    /** Returns the result in the form of a protocol; empty for a success of the first versions. */
    static byte[] resultOf(JsonObject status, String protocol) {
        boolean structured = protocol.startsWith("v4.") || protocol.startsWith("v5.");
        return structured ? status.toBytes() : status.string("message").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        in.close();
        try {
            out.close(WebSocketOutput.NORMAL);
        } catch (IOException e) {
            log.debug("Cannot close a WebSocket: error={}", e.toString());
        }
        upgrade.connection().endInput().run();
    }
}
