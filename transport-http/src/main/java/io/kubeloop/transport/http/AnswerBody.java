package io.kubeloop.transport.http;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of an answer as it comes from the wire. Not thread-safe.
 *
 * <p>A connection that breaks is reported as a {@link TransportException}, which passes through decoders untouched, and
 * cannot be taken for a document that makes no sense.
 */
final class AnswerBody extends InputStream {

    private final HttpCaller.Answer answer;
    private final InputStream in;
    private boolean closed;

    AnswerBody(HttpCaller.Answer answer) {
        this.answer = answer;
        this.in = answer.response().body().byteStream();
    }

    @Override
    public int read() {
        try {
            return in.read();
        } catch (IOException e) {
            throw broken(e);
        }
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        try {
            return in.read(target, offset, length);
        } catch (IOException e) {
            throw broken(e);
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
        }
    }

    private TransportException broken(IOException e) {
        if (closed || answer.open().isClosed()) {
            return new TransportException(Kind.CLOSED, answer.what() + ": the answer was closed while being read", e);
        }
        if (Failures.isEarlyEnd(e)) {
            return new TransportException(
                    Kind.UNEXPECTED_EOF, answer.what() + ": the answer ended too early: " + Failures.reason(e), e);
        }
        return Failures.ofAnswer(answer.what(), e);
    }
}
