/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.canned;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * An open watch that writes events on demand. It writes chunks of a response, or messages of a WebSocket if the
 * client requested one.
 *
 * <p>The connection's thread calls {@link #run}. Any thread can call the other methods.
 */
final class CannedWatch {

    private static final String WEB_SOCKET_MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    /** The number of events per write, as a busy server would have them ready. */
    private static final int BATCH = 16;

    private final CannedPods pods;
    private final OutputStream out;
    private final @Nullable String webSocketKey;
    private final Semaphore requested = new Semaphore(0);
    private volatile boolean ended;
    private byte[] buffer = new byte[256 * 1024];
    private int position;
    private int next;
    private long version = CannedPods.FIRST_VERSION;

    CannedWatch(CannedPods pods, OutputStream out, @Nullable String webSocketKey) {
        this.pods = pods;
        this.out = out;
        this.webSocketKey = webSocketKey;
    }

    /** Requests this number of additional events. */
    void send(int events) {
        requested.release(events);
    }

    /** Ends the watch. */
    void end() {
        ended = true;
        requested.release();
    }

    /** Writes events until the watch ends. */
    void run() throws IOException {
        out.write(head().getBytes(StandardCharsets.US_ASCII));
        while (true) {
            requested.acquireUninterruptibly();
            if (ended) {
                return;
            }
            int batch = 1 + Math.min(requested.drainPermits(), Integer.MAX_VALUE - 1);
            for (int left = batch; left > 0; left -= BATCH) {
                write(Math.min(left, BATCH));
            }
        }
    }

    private void write(int events) throws IOException {
        position = 0;
        for (int i = 0; i < events; i++) {
            int length = pods.eventLength(next);
            ensureRoom(length + 32);
            begin(length);
            pods.writeEvent(next, version++, buffer, position);
            position += length;
            if (webSocketKey == null) {
                put('\r');
                put('\n');
            }
            next = next + 1 == pods.count() ? 0 : next + 1;
        }
        out.write(buffer, 0, position);
    }

    private void ensureRoom(int bytes) {
        if (buffer.length - position < bytes) {
            buffer = Arrays.copyOf(buffer, 2 * buffer.length + bytes);
        }
    }

    private void begin(int length) {
        if (webSocketKey == null) {
            for (char digit : Integer.toHexString(length).toCharArray()) {
                put(digit);
            }
            put('\r');
            put('\n');
            return;
        }
        // A text message in one frame. The length of an event is between 126 and 65,535 bytes.
        put(0x81);
        put(126);
        put(length >>> 8);
        put(length);
    }

    private void put(int value) {
        buffer[position++] = (byte) value;
    }

    private String head() {
        if (webSocketKey == null) {
            return CannedApiServer.head(pods.contentType());
        }
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                + accept(webSocketKey) + "\r\n\r\n";
    }

    private static String accept(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1")
                    .digest((key + WEB_SOCKET_MAGIC).getBytes(StandardCharsets.US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Cannot compute a SHA-1 digest, which every JDK provides", e);
        }
    }
}
