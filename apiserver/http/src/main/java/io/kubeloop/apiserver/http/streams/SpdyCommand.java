/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The streams of a command on a SPDY connection; the client creates one for each purpose. */
final class SpdyCommand implements CommandConnection {

    private static final Logger log = LoggerFactory.getLogger(SpdyCommand.class);

    private static final String ERROR = "error";
    private static final String RESIZE = "resize";

    private final StreamUpgrade upgrade;
    private final SpdyConnection connection;
    private final Map<String, SpdyStream> streams = new ConcurrentHashMap<>();
    private final Set<String> expected;
    private final CountDownLatch missing;

    SpdyCommand(StreamUpgrade upgrade, Wanted wanted) {
        this.upgrade = upgrade;
        this.expected = expected(wanted, upgrade.protocol());
        this.missing = new CountDownLatch(expected.size());
        this.connection = new SpdyConnection(
                upgrade.connection().input(), upgrade.connection().output(), this::opened);
    }

    private static Set<String> expected(Wanted wanted, String protocol) {
        Set<String> expected = new HashSet<>(Set.of(ERROR));
        if (wanted.in()) {
            expected.add("stdin");
        }
        if (wanted.out()) {
            expected.add("stdout");
        }
        if (wanted.err() && !wanted.tty()) {
            expected.add("stderr");
        }
        if (wanted.tty() && (protocol.startsWith("v3.") || protocol.startsWith("v4."))) {
            expected.add(RESIZE);
        }
        return Set.copyOf(expected);
    }

    private void opened(SpdyStream stream) {
        String type = stream.header("streamtype");
        if (expected.contains(type) && streams.putIfAbsent(type, stream) == null) {
            if (!type.equals("stdin")) {
                stream.input().close(); // nothing reads resizes, or what a client sends on an output
            }
            missing.countDown();
        }
    }

    void readAll() throws IOException {
        connection.readAll();
    }

    void inputEnded() {
        streams.values().forEach(stream -> stream.input().end());
        while (missing.getCount() > 0) {
            missing.countDown(); // the client has left before it opened all streams
        }
    }

    void awaitStreams(Duration time) throws IOException {
        try {
            boolean complete = missing.await(time.toNanos(), TimeUnit.NANOSECONDS)
                    && streams.keySet().containsAll(expected);
            if (!complete) {
                close();
                throw new IOException("the client has not created its streams");
            }
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for streams");
        }
    }

    @Override
    public InputStream in() {
        SpdyStream in = streams.get("stdin");
        return in == null ? InputStream.nullInputStream() : in.input();
    }

    @Override
    public OutputStream out() {
        return output("stdout");
    }

    @Override
    public OutputStream err() {
        return output("stderr");
    }

    private OutputStream output(String type) {
        SpdyStream stream = streams.get(type);
        return stream == null ? OutputStream.nullOutputStream() : stream;
    }

    @Override
    public void finish(JsonObject status) throws IOException {
        SpdyStream error = streams.get(ERROR);
        byte[] result = WebSocketCommand.resultOf(status, upgrade.protocol());
        if (error != null && result.length > 0) {
            error.write(result);
        }
    }

    @Override
    public void close() {
        try {
            for (SpdyStream stream : streams.values()) {
                stream.close();
            }
            connection.goAway();
        } catch (IOException e) {
            log.debug("Cannot close a SPDY connection: error={}", e.toString());
        }
        upgrade.connection().endInput().run();
    }
}
