/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.streams;

import io.kubeloop.apiserver.http.wire.ClientMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** One stream of a SPDY connection. The reading thread fills its input; one thread at a time writes. */
final class SpdyStream extends OutputStream {

    private static final int INTERNAL_ERROR = 6;
    private static final int OF_A_STREAM = 1 << 10;

    private final SpdyConnection connection;
    private final int id;
    private final Map<String, String> headers;
    private final StreamBuffer input = new StreamBuffer();
    private final ClientMemory.Share memory = ClientMemory.share();
    private volatile boolean closed;

    SpdyStream(SpdyConnection connection, int id, Map<String, String> headers) {
        this.connection = connection;
        this.id = id;
        this.headers = headers;
    }

    /** Counts the stream in the memory of the clients; returns false if they hold too much. */
    boolean isGranted() {
        int texts = headers.values().stream().mapToInt(String::length).sum();
        return memory.tryTake(OF_A_STREAM + Character.BYTES * texts);
    }

    /** Ends the stream, because it is no longer part of its connection. */
    void removed() {
        memory.close();
    }

    int id() {
        return id;
    }

    /** Returns the value of a header; empty if absent. */
    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    StreamBuffer input() {
        return input;
    }

    void inputEnded() {
        input.end();
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (closed) {
            throw new IOException("the stream is closed");
        }
        connection.sendData(id, bytes, offset, length, false);
    }

    /** Ends the output, and drops the input. Closing twice does nothing. */
    @Override
    public void close() throws IOException {
        input.close();
        if (!closed) {
            closed = true;
            connection.remove(id); // later bytes of the client are skipped
            connection.sendData(id, new byte[0], 0, 0, true);
        }
    }

    /** Aborts the stream in both directions. */
    void reset() throws IOException {
        input.close();
        closed = true;
        connection.reset(id, INTERNAL_ERROR);
    }
}
