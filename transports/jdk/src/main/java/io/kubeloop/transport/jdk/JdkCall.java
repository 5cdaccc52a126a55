/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.jdk;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * One request, and then the body of its response, until its end.
 *
 * <p>One thread reads. Any thread may end the call: the reader, the thread that closes it, or the JVM's timer at the
 * deadline.
 */
final class JdkCall extends InputStream {

    /*
     * Invariants:
     * C1: `end` is completed once, by the first thread. Its kind determines every later exception of the reader.
     * C2: completing `end` frees the connection: it cancels the exchange, or closes the body that has arrived.
     * C3: a call is in `open` from before it can end until it has ended.
     */
    private final CompletableFuture<Kind> end = new CompletableFuture<>();
    private final String what;
    private final CompletableFuture<HttpResponse<InputStream>> answer;

    @SuppressWarnings("FutureReturnValueIgnored") // the stages after `end` cannot fail, and no thread waits for them
    JdkCall(
            String what,
            CompletableFuture<HttpResponse<InputStream>> answer,
            @Nullable Duration deadline,
            Set<JdkCall> open) {
        this.what = what;
        this.answer = answer;
        open.add(this);
        end.thenRun(() -> open.remove(this));
        end.thenRun(() -> answer.cancel(true)).thenCombine(answer, (none, arrived) -> closed(arrived.body()));
        if (deadline != null) {
            end.completeOnTimeout(Kind.TIMEOUT, deadline.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Returns the request, for messages. */
    String what() {
        return what;
    }

    /** Blocks until the headers have arrived, the deadline has passed, or the thread is interrupted. */
    HttpResponse<InputStream> await() {
        try {
            return answer.get();
        } catch (ExecutionException | CancellationException | InterruptedException e) {
            throw failed(e);
        }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
        try {
            int n = await().body().read(bytes, offset, length);
            if (n < 0 && end.isDone()) {
                throw new IOException("the body was closed");
            }
            return n;
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public void close() {
        end.complete(Kind.CLOSED);
    }

    private static boolean closed(InputStream body) {
        try {
            body.close();
            return true;
        } catch (IOException e) {
            return false; // the connection is abandoned in any case
        }
    }

    private TransportException failed(Exception e) {
        Throwable root = e;
        Kind kind = kindOf(e);
        while (kind == Kind.BROKEN && root.getCause() != null) {
            root = root.getCause();
            kind = kindOf(root);
        }
        if (root instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        end.complete(kind);
        return new TransportException(end.join(), what + ": " + root, e);
    }

    private static Kind kindOf(Throwable e) {
        if (e instanceof ConnectException || e instanceof HttpConnectTimeoutException) {
            return Kind.CONNECT;
        } else if (e instanceof SSLHandshakeException) {
            return Kind.TLS;
        } else if (e instanceof HttpTimeoutException) {
            return Kind.TIMEOUT;
        }
        return e instanceof InterruptedException ? Kind.CLOSED : Kind.BROKEN;
    }
}
