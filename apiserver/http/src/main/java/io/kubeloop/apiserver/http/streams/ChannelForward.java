/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import io.kubeloop.apiserver.http.websocket.WebSocketInput;
import io.kubeloop.apiserver.http.websocket.WebSocketOutput;
import io.kubeloop.runtime.OwnedThreads;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One forwarded connection for each port of a WebSocket, on a channel for data and one for errors. Each channel begins
 * with its port, in two bytes, the lower one first.
 */
final class ChannelForward {

    private static final Logger log = LoggerFactory.getLogger(ChannelForward.class);

    private ChannelForward() {}

    static void serve(
            StreamUpgrade upgrade,
            WebSocketOutput out,
            List<Integer> ports,
            OwnedThreads threads,
            StreamServer.Forwarder forwarder)
            throws IOException {
        List<@Nullable StreamBuffer> inputs = new ArrayList<>();
        ports.forEach(port -> {
            inputs.add(new StreamBuffer());
            inputs.add(null);
        });
        ChannelMessages messages = new ChannelMessages(out, upgrade.protocol(), inputs);
        CountDownLatch open = new CountDownLatch(ports.size());
        for (int i = 0; i < ports.size(); i++) {
            int channel = 2 * i;
            int port = ports.get(i);
            byte[] number = {(byte) port, (byte) (port >> 8)};
            messages.send(channel, number, 0, 2);
            messages.send(channel + 1, number, 0, 2);
            threads.start("kubeloop-http-forward", () -> {
                try {
                    forward(port, Objects.requireNonNull(inputs.get(channel)), messages, channel, forwarder);
                } finally {
                    open.countDown();
                    if (open.getCount() == 0) {
                        close(out, upgrade);
                    }
                }
            });
        }
        try {
            new WebSocketInput(upgrade.connection().input(), out).readAll(messages);
        } finally {
            messages.closeAll();
        }
    }

    private static void forward(
            int port, StreamBuffer in, ChannelMessages messages, int channel, StreamServer.Forwarder forwarder) {
        try (in;
                OutputStream error = messages.channel(channel + 1)) {
            String failure = forwarder.forward(port, in, messages.channel(channel));
            if (failure != null) {
                error.write(failure.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            log.debug("A forwarded connection failed: port={} error={}", port, e.toString());
        }
    }

    private static void close(WebSocketOutput out, StreamUpgrade upgrade) {
        try {
            out.close(WebSocketOutput.NORMAL);
        } catch (IOException e) {
            log.debug("Cannot close a WebSocket: error={}", e.toString());
        }
        upgrade.connection().endInput().run();
    }
}
