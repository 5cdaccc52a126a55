/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.memory;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.registry.WatchFrame;
import io.kubeloop.runtime.Scheduler;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stream that pulls its frames directly from the server. One thread reads; any thread may close. {@link #next}
 * blocks until a frame arrives, the watch ends, the stream is closed or its deadline passes.
 */
final class InProcessStream implements ApiStream {

    /*
     * Invariant:
     *   D1  The deadline sets late before it closes the stream. A read that ends because of the deadline therefore
     *       finds late set and throws, whereas a read that ends because of close() returns null. If both happen at
     *       the same time, the read may do either.
     *
     * Any thread: close(). The scheduler's thread: deadlineHasPassed(). The reading thread: everything else.
     */

    private final ApiRequest request;
    private final ServerResponse response;
    private final Map<String, List<String>> headers;
    private final Consumer<InProcessStream> onClose;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Scheduler.@Nullable Task deadline;
    private volatile boolean late;

    // Confined to the reading thread: whether the single document of an error response has been read.
    private boolean documentRead;

    InProcessStream(
            ApiRequest request,
            ServerResponse response,
            Map<String, List<String>> headers,
            Scheduler scheduler,
            Consumer<InProcessStream> onClose) {
        this.request = request;
        this.response = response;
        this.headers = headers;
        this.onClose = onClose;
        this.deadline =
                request.deadline() == null ? null : scheduler.schedule(request.deadline(), this::deadlineHasPassed);
    }

    @Override
    public int code() {
        return response instanceof ServerResponse.Document document ? document.code() : 200;
    }

    @Override
    public Map<String, List<String>> headers() {
        return headers;
    }

    @Override
    public byte @Nullable [] next() {
        byte[] frame = closed.get() ? null : read();
        if (frame == null && late) {
            throw new TransportException(
                    TransportException.Kind.TIMEOUT,
                    request.describe() + ": the deadline of " + request.deadline() + " has passed",
                    null);
        }
        return closed.get() ? null : frame;
    }

    private byte @Nullable [] read() {
        if (response instanceof ServerResponse.Document document) {
            return documentRead ? null : readDocument(document);
        }
        try {
            WatchFrame frame = ((ServerResponse.Frames) response).next();
            return frame == null ? null : frame.json();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(
                    TransportException.Kind.CLOSED,
                    request.describe() + ": the thread was interrupted while it waited for a frame",
                    e);
        }
    }

    private byte[] readDocument(ServerResponse.Document document) {
        documentRead = true;
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        document.pieces()
                .forEach(
                        piece -> whole.write(piece.array(), piece.arrayOffset() + piece.position(), piece.remaining()));
        return whole.toByteArray();
    }

    private void deadlineHasPassed() {
        if (!closed.get()) {
            late = true;
            close();
        }
    }

    /** Returns whether its reader or its deadline has closed the stream. */
    boolean isClosed() {
        return closed.get();
    }

    @Override
    public void close() {
        boolean first = closed.compareAndSet(false, true);
        if (response instanceof ServerResponse.Frames frames) {
            frames.close(); // also after a close by the deadline, so the frames learn that their reader has ended
        }
        if (first) {
            if (deadline != null) {
                deadline.cancel();
            }
            onClose.accept(this);
        }
    }
}
