/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.errors.IoErrors;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/**
 * The body of a response, read from the connection. Not thread-safe.
 *
 * <p>Reading stops at a limit in bytes, counted after decompression: a small compressed body may expand to any size.
 *
 * <p>A connection that breaks is reported as a {@link TransportException}. Decoders pass that exception on, and cannot
 * mistake the failure for a malformed document.
 */
final class AnswerBody extends InputStream {

    private final HttpCaller.Answer answer;
    private final InputStream in;
    private final long maxBytes;
    private final LongConsumer whenClosed;
    private long count;
    private boolean closed;
    private boolean hasTimedOut;

    /**
     * Makes a body.
     *
     * @param maxBytes the limit, in bytes after decompression
     * @param whenClosed receives the number of bytes read, once
     */
    AnswerBody(HttpCaller.Answer answer, long maxBytes, LongConsumer whenClosed) {
        this.answer = answer;
        this.in = answer.response().body().byteStream();
        this.maxBytes = maxBytes;
        this.whenClosed = whenClosed;
    }

    @Override
    public int read() {
        try {
            int value = in.read();
            count(value < 0 ? 0 : 1);
            return value;
        } catch (IOException e) {
            throw broken(e);
        }
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0; // Okio would block; InputStream.readNBytes makes this call after it has read everything
        }
        try {
            int read = in.read(target, offset, length);
            count(Math.max(0, read));
            return read;
        } catch (IOException e) {
            throw broken(e);
        }
    }

    private void count(int more) {
        count += more;
        if (count > maxBytes) {
            throw new TransportException(
                    Kind.TOO_LARGE,
                    answer.what() + ": the response is larger than the " + maxBytes
                            + " bytes allowed; list page by page" + " (limit), or allow more (maxResponseBytes)",
                    null);
        }
    }

    @Override
    public int available() {
        try {
            return in.available();
        } catch (IOException e) {
            throw broken(e);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            answer.close();
            if (hasTimedOut) {
                answer.open().evictIdle();
            }
            whenClosed.accept(count);
        }
    }

    private TransportException broken(IOException e) {
        if (closed || answer.open().isClosed()) {
            return new TransportException(Kind.CLOSED, answer.what() + ": the response was closed during a read", e);
        }
        if (IoErrors.isEarlyEnd(e)) {
            return new TransportException(
                    Kind.UNEXPECTED_EOF, answer.what() + ": the response ended too early: " + IoErrors.reason(e), e);
        }
        TransportException failure = IoErrors.ofAnswer(answer.what(), e);
        hasTimedOut = failure.kind() == Kind.TIMEOUT;
        return failure;
    }
}
