package io.kubeloop.transport.http.call;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.failure.IoFailures;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/**
 * The body of an answer as it comes from the wire. Not thread-safe.
 *
 * <p>It is read no further than a bound, counted in bytes after unpacking: what was packed small may unfold to anything.
 *
 * <p>A connection that breaks is reported as a {@link TransportException}, which passes through decoders untouched, and
 * cannot be taken for a document that makes no sense.
 */
final class AnswerBody extends InputStream {

    private final HttpCaller.Answer answer;
    private final InputStream in;
    private final long maxBytes;
    private final LongConsumer whenClosed;
    private long count;
    private boolean closed;

    /**
     * Makes a body.
     *
     * @param whenClosed is told how much was read, once
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
            return 0; // Okio would wait for more: InputStream.readNBytes asks so when it has all it wants
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
                    answer.what() + ": the answer is larger than the " + maxBytes + " bytes allowed; ask for pages"
                            + " (limit), or allow more (maxResponseBytes)",
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
            whenClosed.accept(count);
        }
    }

    private TransportException broken(IOException e) {
        if (closed || answer.open().isClosed()) {
            return new TransportException(Kind.CLOSED, answer.what() + ": the answer was closed while being read", e);
        }
        if (IoFailures.isEarlyEnd(e)) {
            return new TransportException(
                    Kind.UNEXPECTED_EOF, answer.what() + ": the answer ended too early: " + IoFailures.reason(e), e);
        }
        return IoFailures.ofAnswer(answer.what(), e);
    }
}
