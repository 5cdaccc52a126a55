package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes one watch: its frames, and heartbeats while it is idle. A heartbeat is a line break, which clients ignore;
 * its write fails if the client has disconnected. Protobuf frames have a length prefix and allow nothing between
 * them. There, only the next event or the end of the watch detects a disconnected client.
 */
final class WatchOutput {

    // O1  Nothing is written after the last chunk, because the next response on the connection follows it.
    //
    // Guarded by lock: out (every write, and its end), finished, the writing of lastWrite. The connection's thread
    // writes the frames and the end. Heartbeats starts one thread for each heartbeat, because a write can block
    // while the client does not read. A heartbeat never waits for a frame, because a frame serves the same purpose.
    private static final byte[] LINE_BREAK = {'\n'};

    private final ApiStream stream;
    private final OutputStream out;
    private final boolean protobuf;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long lastWrite = System.nanoTime();
    private boolean finished;

    WatchOutput(ApiStream stream, OutputStream out, boolean protobuf) {
        this.stream = stream;
        this.out = out;
        this.protobuf = protobuf;
    }

    void frame(byte[] frame) throws IOException {
        lock.lock();
        try {
            if (protobuf) {
                out.write(
                        ByteBuffer.allocate(Integer.BYTES).putInt(frame.length).array());
            }
            out.write(frame);
            if (!protobuf) {
                out.write(LINE_BREAK);
            }
            out.flush();
            lastWrite = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a heartbeat is due. */
    boolean isIdle(Duration idle) {
        return !protobuf && System.nanoTime() - lastWrite >= TimeUnit.NANOSECONDS.convert(idle);
    }

    /** Writes a heartbeat if the watch has been idle for this long; closes the stream if the write fails. */
    void beat(Duration idle) {
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (!finished && isIdle(idle)) {
                out.write(LINE_BREAK);
                out.flush();
                lastWrite = System.nanoTime();
            }
        } catch (IOException e) {
            // The client has disconnected. Closing the stream wakes the connection's thread, which is blocked in
            // next().
            stream.close();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Completes the response. A concurrent heartbeat is written before it or not at all, because the next response
     * follows.
     */
    void finish() throws IOException {
        lock.lock();
        try {
            finished = true;
            out.close();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the stream, so that its reader returns. */
    void end() {
        stream.close();
    }
}
