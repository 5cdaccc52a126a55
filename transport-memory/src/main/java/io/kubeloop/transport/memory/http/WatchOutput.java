package io.kubeloop.transport.memory.http;

import io.kubeloop.api.client.ApiStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The way out of one watch: frames, and now and then a line break that no client minds, by which a peer that has gone
 * away is noticed even though nothing happens. Frames in protocol buffers have their length before them, and nothing can be
 * between them: there such a peer is noticed by the next event, or when the watch has lasted as long as it may.
 */
final class WatchOutput {

    // O1: nothing is written after the last chunk, as the next answer on the connection follows it.
    //
    // Guarded by lock: out (every write, and its end), finished, the writing of lastWrite. The connection's thread
    // writes frames and the end; beats are written by threads that Heartbeats starts, one for each, as a write can
    // block as long as the client does not read. A beat never waits for a frame: a frame on its way says as much as a
    // beat.
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

    /** Returns whether a line break is due. */
    boolean isIdle(Duration idle) {
        return !protobuf && System.nanoTime() - lastWrite >= TimeUnit.NANOSECONDS.convert(idle);
    }

    /** Writes a line break if nothing was written for this long; ends the watch if that fails. */
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
            // The client is gone. The request's thread sleeps in next() and learns it this way.
            stream.close();
        } finally {
            lock.unlock();
        }
    }

    /** Completes the answer. A beat that was on its way comes before, or not at all: what follows is another answer's. */
    void finish() throws IOException {
        lock.lock();
        try {
            finished = true;
            out.close();
        } finally {
            lock.unlock();
        }
    }

    /** Makes the reader of the stream come to its end. */
    void end() {
        stream.close();
    }
}
