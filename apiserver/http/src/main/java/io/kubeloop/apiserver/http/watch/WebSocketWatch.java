/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.watch;

import io.kubeloop.apiserver.http.websocket.WebSocketInput;
import io.kubeloop.apiserver.http.websocket.WebSocketOutput;
import io.kubeloop.apiserver.http.wire.HttpServerExchange.Upgraded;
import io.kubeloop.runtime.OwnedThreads;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch as the messages of a WebSocket (upstream: {@code apiserver/pkg/endpoints/handlers/watch.go} {@code
 * HandleWS}). A thread reads the frames of the client and ends the watch when the client closes.
 */
public final class WebSocketWatch implements WatchOutput, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(WebSocketWatch.class);

    /** The time that a client has to answer the close frame. */
    private static final Duration CLOSING = Duration.ofMillis(500);

    // The connection's thread writes events and the end; the reading thread writes answers to pings. WebSocketOutput
    // orders them. closed: the reading thread has ended and no longer uses the input.
    private final Upgraded connection;
    private final WebSocketOutput out;
    private final boolean text;
    private final CountDownLatch inputEnded = new CountDownLatch(1);

    private WebSocketWatch(Upgraded connection, boolean text) {
        this.connection = connection;
        this.out = new WebSocketOutput(connection.output());
        this.text = text;
    }

    /**
     * Starts to read from the client.
     *
     * @param text whether the events are text; otherwise they are sent as binary messages
     * @param threads starts the reading thread
     * @param end ends the watch; runs on the reading thread when the client has closed
     */
    public static WebSocketWatch start(Upgraded connection, boolean text, OwnedThreads threads, Runnable end) {
        WebSocketWatch watch = new WebSocketWatch(connection, text);
        threads.start("kubeloop-http-websocket", () -> watch.readAll(end));
        return watch;
    }

    private void readAll(Runnable end) {
        try {
            new WebSocketInput(connection.input(), out).discardAll();
        } catch (IOException e) {
            log.debug("A WebSocket failed: error={}", e.toString());
        } finally {
            inputEnded.countDown();
            end.run();
        }
    }

    @Override
    public void send(byte[] event, boolean more) throws IOException {
        if (text) {
            out.text(event);
        } else {
            out.binary(event);
        }
    }

    @Override
    public void finish() throws IOException {
        out.close(WebSocketOutput.NORMAL);
    }

    /** Returns false: the reading thread ends the watch by itself. */
    @Override
    public boolean clientHasLeft() {
        return false;
    }

    /**
     * Ends the reading thread. Blocks for at most half a second, in which the client can answer the close frame; an
     * interrupt shortens the wait and stays set.
     */
    @Override
    public void close() {
        try {
            if (!inputEnded.await(CLOSING.toNanos(), TimeUnit.NANOSECONDS)) {
                connection.endInput().run();
                inputEnded.await();
            }
        } catch (InterruptedException e) {
            connection.endInput().run();
            Thread.currentThread().interrupt();
        }
    }
}
