/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import io.kubeloop.apiserver.http.watch.OpenWatches;
import io.kubeloop.apiserver.http.websocket.WebSocketInput;
import io.kubeloop.apiserver.http.websocket.WebSocketOutput;
import io.kubeloop.apiserver.http.wire.BackendConnection;
import io.kubeloop.apiserver.http.wire.BackendException;
import io.kubeloop.apiserver.http.wire.HttpServerExchange;
import io.kubeloop.runtime.OwnedThreads;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the streams of commands and of connections into pods (upstream: {@code cri-streaming/pkg/streaming}).
 * Thread-safe.
 */
public final class StreamServer {

    private static final Logger log = LoggerFactory.getLogger(StreamServer.class);

    private static final Set<String> COMMANDS = Set.of(
            "",
            "v5.channel.k8s.io",
            "v4.channel.k8s.io",
            "v4.base64.channel.k8s.io",
            "channel.k8s.io",
            "base64.channel.k8s.io");

    private static final List<String> SPDY_COMMANDS =
            List.of("channel.k8s.io", "v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io");

    private static final String SPDY_TUNNEL = "SPDY/3.1+portforward.k8s.io";
    private static final Set<String> FORWARDS =
            Set.of("", "v4.channel.k8s.io", "v4.base64.channel.k8s.io", SPDY_TUNNEL);

    /** The time that a client has to open the streams of a command; upstream's default. */
    private static final Duration CREATION = Duration.ofSeconds(30);

    private static final int MOST_PORTS = 100;

    private static final int MOST_CONNECTIONS = 1000;

    private final OwnedThreads threads;
    private final OpenWatches open;
    private final Semaphore connections = new Semaphore(MOST_CONNECTIONS);

    /**
     * Creates a server.
     *
     * @param threads read from clients and serve forwarded connections
     * @param open ends the connections when the front end closes
     */
    public StreamServer(OwnedThreads threads, OpenWatches open) {
        this.threads = threads;
        this.open = open;
    }

    /** Reads from a client until it closes the connection. */
    private interface Reading {
        void run() throws IOException;
    }

    private void read(Reading reading, Runnable ended) {
        threads.start("kubeloop-http-streams", () -> {
            try {
                reading.run();
            } catch (IOException e) {
                log.debug("A connection with streams failed: error={}", e.toString());
            } finally {
                ended.run();
            }
        });
    }

    /**
     * Opens the streams of a command.
     *
     * @param ended runs on another thread when the client has closed the connection
     * @return the streams; null if the request was refused, which has been answered
     * @throws IOException if the client disconnects or does not open its streams in time
     */
    public @Nullable CommandConnection command(
            HttpServerExchange exchange, CommandConnection.Wanted wanted, Runnable ended) throws IOException {
        if (StreamUpgrade.isWebSocket(exchange)) {
            StreamUpgrade upgrade = StreamUpgrade.webSocket(exchange, COMMANDS);
            return upgrade == null ? null : webSocketCommand(upgrade, wanted, ended);
        }
        StreamUpgrade upgrade = StreamUpgrade.spdy(exchange, SPDY_COMMANDS);
        return upgrade == null ? null : spdyCommand(upgrade, wanted, ended);
    }

    private CommandConnection webSocketCommand(StreamUpgrade upgrade, CommandConnection.Wanted wanted, Runnable ended)
            throws IOException {
        WebSocketOutput out = new WebSocketOutput(upgrade.connection().output());
        WebSocketCommand command = new WebSocketCommand(upgrade, out, wanted);
        read(() -> new WebSocketInput(upgrade.connection().input(), out).readAll(command.messages()), () -> {
            command.inputEnded();
            ended.run();
        });
        command.announce();
        return command;
    }

    private CommandConnection spdyCommand(StreamUpgrade upgrade, CommandConnection.Wanted wanted, Runnable ended)
            throws IOException {
        SpdyCommand command = new SpdyCommand(upgrade, wanted);
        read(command::readAll, () -> {
            command.inputEnded();
            ended.run();
        });
        command.awaitStreams(CREATION);
        return command;
    }

    /** Answers a connection to a port of a pod. */
    @FunctionalInterface
    public interface Forwarder {

        /**
         * Answers a connection; blocks until it ends.
         *
         * @return the message of a failure; null for none
         */
        @Nullable
        String forward(int port, InputStream in, OutputStream out) throws IOException;
    }

    /**
     * Opens a connection that is answered on a thread of its own. Its reads fail with the message of a failure.
     *
     * @throws BackendException if there are too many connections
     */
    public BackendConnection connect(int port, Forwarder forwarder) throws BackendException {
        if (!connections.tryAcquire()) {
            throw new BackendException("too many forwarded connections");
        }
        StreamBuffer request = new StreamBuffer();
        StreamBuffer response = new StreamBuffer();
        AtomicReference<@Nullable String> failure = new AtomicReference<>();
        threads.start("kubeloop-http-forward", () -> {
            try {
                failure.set(forwarder.forward(port, request, response.output()));
            } catch (IOException e) {
                failure.set(e.getMessage());
            } finally {
                request.close();
                response.end();
                connections.release();
            }
        });
        InputStream checked = new FilterInputStream(response) {
            @Override
            public int read() throws IOException {
                return ended(super.read());
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                return ended(super.read(into, offset, length));
            }

            private int ended(int result) throws IOException {
                String message = result < 0 ? failure.get() : null;
                if (message != null) {
                    throw new IOException(message);
                }
                return result;
            }
        };
        return BackendConnection.within(checked, request.output(), () -> {
            request.end();
            response.close();
        });
    }

    /**
     * Serves forwarded connections until the client closes the connection.
     *
     * @param ports the ports that the client names in its query, for clients that use channels
     * @param unlimited answers each connection on a thread of its own
     * @throws IllegalArgumentException if a port is not valid; nothing has been answered then
     */
    public void forward(HttpServerExchange exchange, List<String> ports, Forwarder unlimited) throws IOException {
        Forwarder forwarder = (port, in, out) -> {
            if (!connections.tryAcquire()) {
                return "too many forwarded connections";
            }
            try {
                return unlimited.forward(port, in, out);
            } finally {
                connections.release();
            }
        };
        if (!StreamUpgrade.isWebSocket(exchange)) {
            StreamUpgrade upgrade = StreamUpgrade.spdy(exchange, List.of("portforward.k8s.io"));
            if (upgrade != null) {
                serving(
                        upgrade,
                        () -> SpdyForward.serve(
                                upgrade.connection().input(),
                                upgrade.connection().output(),
                                threads,
                                forwarder));
            }
            return;
        }
        boolean tunnels =
                String.join(",", exchange.headers("Sec-WebSocket-Protocol")).contains(SPDY_TUNNEL);
        List<Integer> numbers = tunnels ? List.of() : numbers(ports);
        StreamUpgrade upgrade = StreamUpgrade.webSocket(exchange, FORWARDS);
        if (upgrade == null) {
            return;
        }
        WebSocketOutput out = new WebSocketOutput(upgrade.connection().output());
        if (upgrade.protocol().equals(SPDY_TUNNEL)) {
            serving(upgrade, () -> tunnel(upgrade, out, forwarder));
        } else {
            serving(upgrade, () -> ChannelForward.serve(upgrade, out, numbers, threads, forwarder));
        }
    }

    private void serving(StreamUpgrade upgrade, Reading reading) throws IOException {
        OpenWatches.Watch entry = open.add(() -> false, upgrade.connection().endInput());
        try {
            reading.run();
        } finally {
            open.remove(entry);
        }
    }

    /** The messages of the WebSocket are the bytes of a SPDY connection. */
    private void tunnel(StreamUpgrade upgrade, WebSocketOutput out, Forwarder forwarder) throws IOException {
        StreamBuffer bytes = new StreamBuffer();
        read(
                () -> new WebSocketInput(upgrade.connection().input(), out).readAll((part, length, first, last) -> {
                    bytes.put(part, 0, length);
                    return 0;
                }),
                bytes::end); // the bytes so far can hold whole frames
        OutputStream messages = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                out.binary(new byte[] {(byte) b});
            }

            @Override
            public void write(byte[] part, int offset, int length) throws IOException {
                out.binary(Arrays.copyOfRange(part, offset, offset + length));
            }
        };
        try {
            SpdyForward.serve(bytes, messages, threads, forwarder);
            out.close(WebSocketOutput.NORMAL);
        } finally {
            bytes.close();
            upgrade.connection().endInput().run();
        }
    }

    private static List<Integer> numbers(List<String> ports) {
        List<Integer> numbers = new ArrayList<>();
        for (String list : ports) {
            for (String port : list.split(",", -1)) {
                numbers.add(portOf(port));
            }
        }
        if (numbers.isEmpty() || numbers.size() > MOST_PORTS) {
            throw new IllegalArgumentException("query parameter \"port\" is required");
        }
        return numbers;
    }

    /** Returns the number of a port from 1 to 65535. */
    static int portOf(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port > 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("unable to parse \"" + text + "\" as a port", e);
        }
        throw new IllegalArgumentException("port \"" + text + "\" must be > 0");
    }
}
