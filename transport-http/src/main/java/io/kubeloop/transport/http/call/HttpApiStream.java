/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.errors.IoErrors;
import io.kubeloop.transport.http.frame.GzipMembers;
import io.kubeloop.transport.http.frame.LengthFrameReader;
import io.kubeloop.transport.http.frame.WatchFrameReader;
import io.kubeloop.transport.http.value.KubeconfigDefaults;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import okio.BufferedSource;
import okio.Okio;
import org.jspecify.annotations.Nullable;

/**
 * A response of frames: a watch, or the error that came instead. One thread calls {@link #next}; any thread may call
 * {@link #close}.
 */
public final class HttpApiStream implements ApiStream {

    private enum State {
        IDLE,
        READING,
        CLOSED
    }

    /*
     * Invariants:
     * S1: one thread at a time uses the body: the reader while READING; the thread that moved IDLE to CLOSED; and the
     *     reader if it finds CLOSED after a read. So the body is closed exactly once.
     * S2: close() never blocks: it cancels the call, which ends a blocked read, and leaves the body to the reader.
     * S3: CLOSED is final.
     * One thread calls next(), and any thread close(). The deadline and the transport's close() cancel the call from
     * their own threads.
     */
    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
    private final HttpCaller.Answer answer;
    private final Map<String, List<String>> headers;
    private final @Nullable GzipMembers packed;
    private final FrameSource frames;

    /**
     * Makes a stream from a response.
     *
     * @throws TransportException if the response has a media type other than frames; the response is then closed
     */
    public static HttpApiStream of(HttpCaller.Answer answer, long maxFrameBytes) {
        String type = KubeconfigDefaults.orEmpty(answer.response().header("Content-Type"));
        String encoding = encoding(answer);
        boolean frames = answer.response().code() == 200;
        String problem = "";
        if (frames
                && !type.isEmpty()
                && !isProtobuf(answer)
                && !type.toLowerCase(Locale.ROOT).contains("json")) {
            problem = "the response is " + type + " instead of JSON; is this an API server?";
        } else if (frames && !isGzip(answer) && !encoding.isEmpty() && !encoding.equalsIgnoreCase("identity")) {
            problem = "the response has the unrequested encoding " + encoding;
        }
        if (!problem.isEmpty()) {
            answer.call().cancel();
            answer.close();
            throw new TransportException(TransportException.Kind.BROKEN, answer.what() + ": " + problem, null);
        }
        return new HttpApiStream(answer, maxFrameBytes);
    }

    private HttpApiStream(HttpCaller.Answer answer, long maxFrameBytes) {
        this.answer = answer;
        this.headers = HeaderMaps.of(answer.response().headers());
        BufferedSource body = answer.response().body().source();
        this.packed = isGzip(answer) ? new GzipMembers(body) : null;
        this.frames = frames(answer, packed == null ? body : Okio.buffer(packed), maxFrameBytes);
    }

    private static FrameSource frames(HttpCaller.Answer answer, BufferedSource body, long maxFrameBytes) {
        if (answer.response().code() != 200) {
            ErrorFrame error = new ErrorFrame(answer.what(), body, maxFrameBytes);
            return () -> wrap(error.next());
        }
        if (isProtobuf(answer)) {
            return new LengthFrameReader(answer.what(), body, maxFrameBytes)::nextShared;
        }
        return new WatchFrameReader(answer.what(), body, maxFrameBytes)::nextShared;
    }

    private static @Nullable ByteBuffer wrap(byte @Nullable [] frame) {
        return frame == null ? null : ByteBuffer.wrap(frame);
    }

    private static String encoding(HttpCaller.Answer answer) {
        return KubeconfigDefaults.orEmpty(answer.response().header("Content-Encoding"));
    }

    /** Returns whether the response is gzip, and was allowed to be. */
    private static boolean isGzip(HttpCaller.Answer answer) {
        String asked = KubeconfigDefaults.orEmpty(answer.response().request().header("Accept-Encoding"));
        return asked.equals("gzip") && encoding(answer).equalsIgnoreCase("gzip");
    }

    private static boolean isProtobuf(HttpCaller.Answer answer) {
        String asked = KubeconfigDefaults.orEmpty(answer.response().request().header("Accept"));
        String type = KubeconfigDefaults.orEmpty(answer.response().header("Content-Type"));
        return asked.contains(ApiRequest.PROTOBUF) && ApiRequest.isProtobuf(type);
    }

    /** Reads one frame after the other. */
    private interface FrameSource {
        @Nullable
        ByteBuffer next() throws IOException;
    }

    @Override
    public int code() {
        return answer.response().code();
    }

    @Override
    public Map<String, List<String>> headers() {
        return headers;
    }

    @Override
    public byte @Nullable [] next() {
        ByteBuffer frame = nextShared();
        if (frame == null) {
            return null;
        }
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    @Override
    public @Nullable ByteBuffer nextShared() {
        if (!state.compareAndSet(State.IDLE, State.READING)) {
            if (state.get() == State.CLOSED) {
                return null;
            }
            throw new IllegalStateException(answer.what() + ": two threads must not read one stream");
        }
        ByteBuffer frame = null;
        TransportException failure = null;
        try {
            frame = frames.next();
        } catch (IOException e) {
            // Closing the transport closes its streams; that is a regular end.
            failure = answer.open().isClosed() ? null : IoErrors.ofAnswer(answer.what(), e);
        } catch (TransportException e) {
            failure = e;
        } catch (RuntimeException | Error e) {
            // Such as a frame that exceeds the memory. No other thread may use the body while READING (S1), so this one
            // closes it.
            state.set(State.CLOSED);
            answer.call().cancel();
            free();
            throw e;
        }
        boolean ended = frame == null;
        if (!state.compareAndSet(State.READING, ended ? State.CLOSED : State.IDLE)) {
            free();
            return null;
        }
        if (ended) {
            answer.call().cancel();
            free();
        }
        if (failure != null) {
            throw failure;
        }
        return frame;
    }

    @Override
    public void close() {
        State before = state.getAndSet(State.CLOSED);
        if (before == State.CLOSED) {
            return;
        }
        answer.call().cancel();
        if (before == State.IDLE) {
            free();
        }
    }

    private void free() {
        if (packed != null) {
            packed.close();
        }
        answer.close();
    }

    /**
     * The body of a response that is not a stream, returned as one frame. Confined to the thread that reads the stream.
     */
    private static final class ErrorFrame {

        private final String what;
        private final BufferedSource body;
        private final long maxBytes;
        private boolean given;

        ErrorFrame(String what, BufferedSource body, long maxBytes) {
            this.what = what;
            this.body = body;
            this.maxBytes = maxBytes;
        }

        byte @Nullable [] next() throws IOException {
            if (given) {
                return null;
            }
            given = true;
            if (maxBytes < Long.MAX_VALUE ? body.request(maxBytes + 1) : body.request(maxBytes)) {
                throw new TransportException(
                        Kind.TOO_LARGE, what + ": the body of an error is larger than " + maxBytes + " bytes", null);
            }
            return body.readByteArray();
        }
    }
}
