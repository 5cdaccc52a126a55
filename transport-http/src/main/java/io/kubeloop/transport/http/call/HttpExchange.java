package io.kubeloop.transport.http.call;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.RequestMetrics;
import io.kubeloop.transport.http.failure.IoFailures;
import io.kubeloop.transport.http.pacing.Deadline;
import io.kubeloop.transport.http.pacing.RetryPolicy;
import io.kubeloop.transport.http.pacing.TokenBucket;
import java.io.IOException;
import java.time.Duration;
import okhttp3.Call;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request, attempt by attempt: {@link HttpCaller} says when there is another. Its fields are what it has used up of its
 * chances. Used once, by one thread.
 */
final class HttpExchange {

    private static final Logger log = LoggerFactory.getLogger(HttpExchange.class);
    private static final long DISCARD_BYTES = 2048;

    private final HttpCaller caller;
    private final ApiRequest request;
    private final boolean stream;
    private final String what;
    private final Deadline deadline;

    private boolean needsTurn;
    private boolean hasRenewedCredential;
    private boolean hasReloadedCertificates;
    private boolean hasBroken;

    /** Times that it was left untouched. */
    private int refusals;

    /** Times that the server asked for patience. */
    private int retries;

    /** Why the last attempt had no answer; null if there was none. */
    private @Nullable TransportException former;

    /**
     * How it is sent once.
     *
     * @param authorization the header's value; null for none
     */
    private record Attempt(@Nullable String authorization, OkHttpClient client, CallProgress progress) {}

    HttpExchange(HttpCaller caller, ApiRequest request, boolean stream) {
        this.caller = caller;
        this.request = request;
        this.stream = stream;
        this.what = caller.requests().describe(request);
        this.deadline = new Deadline(request.deadline(), caller.time().nanoTime());
        this.needsTurn = !stream;
    }

    /**
     * Returns the answer, whatever its code.
     *
     * @throws TransportException if there is none
     */
    HttpCaller.Answer untilAnswered() {
        while (true) {
            if (needsTurn) {
                throttle();
            }
            needsTurn = true;
            // In this order: a program that is asked for the credential may bring a certificate, too.
            String authorization = caller.credentials().authorization();
            Attempt attempt = new Attempt(authorization, caller.clients().get(stream), new CallProgress());
            HttpCaller.Answer answer;
            try {
                answer = send(attempt);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw interrupted(e);
            } catch (IOException e) {
                goOnAfter(e, attempt);
                continue;
            }
            if (!goOnAfter(answer, attempt)) {
                return answer;
            }
        }
    }

    private void throttle() {
        HttpCaller.RateLimit limit = caller.rateLimit();
        if (limit == null) {
            return;
        }
        TokenBucket.Turn turn = limit.bucket().reserve(deadline.left());
        if (turn == null) {
            throw new TransportException(
                    Kind.TIMEOUT,
                    what + ": not sent, as the client-side rate limit would hold it beyond its deadline of "
                            + deadline.limit(),
                    null);
        }
        Duration delay = turn.delay();
        if (!delay.isZero()) {
            limit.notice().waiting(what, delay);
            try {
                await(delay);
            } catch (TransportException e) {
                limit.bucket().giveBack(turn);
                throw e;
            }
        }
        caller.observers().metrics().throttled(request.method(), delay);
    }

    /**
     * Sends once.
     *
     * @throws InterruptedException which {@code execute} throws without declaring it, while it tries several addresses
     */
    private HttpCaller.Answer send(Attempt attempt) throws IOException, InterruptedException {
        Call call = attempt.client()
                .newCall(caller.requests().build(request, stream, attempt.authorization(), attempt.progress()));
        OpenCalls open = caller.open();
        deadline.applyTo(call, what);
        if (open.isClosed()) {
            throw closed(null);
        }
        if (Thread.currentThread().isInterrupted()) {
            // Over HTTP/2 the head would lie in the connection's buffer, and be sent with somebody else's request.
            throw interrupted(null);
        }
        open.add(call, attempt.client().connectionPool());
        HttpCaller.Answer answer = null;
        boolean handedOut = false;
        try {
            answer = new HttpCaller.Answer(call, call.execute(), what, open);
            caller.observers().warnings().accept(answer.response().headers("Warning"));
            handedOut = true;
            return answer;
        } finally {
            if (!handedOut) {
                if (answer == null) {
                    open.remove(call);
                } else {
                    answer.close();
                }
            }
        }
    }

    /**
     * Has the request be sent again after it got no answer.
     *
     * @throws TransportException the failure, if that cannot be
     */
    private void goOnAfter(IOException cause, Attempt attempt) {
        if (!(cause instanceof WriteGate.ShutException)) {
            caller.observers().metrics().attempted(request.method(), RequestMetrics.NO_ANSWER);
        }
        TransportException failure = failure(cause, attempt.progress());
        if (failure.kind() == Kind.TIMEOUT) {
            // The server may be slow, or the connection dead without a word: with nobody else on it, it is not
            // worth to find out, which over HTTP/2 takes a minute.
            attempt.client().connectionPool().evictAll();
        }
        if (former != null) {
            failure.addSuppressed(former);
        }
        Duration delay = delayAfter(failure, cause, attempt);
        if (delay == null) {
            throw failure;
        }
        log.debug("{}; trying again in {}", failure.getMessage(), delay);
        former = failure;
        caller.observers().metrics().retried(request.method(), RequestMetrics.NO_ANSWER);
        await(delay);
    }

    private TransportException failure(IOException cause, CallProgress progress) {
        if (cause instanceof WriteGate.ShutException) {
            return new TransportException(Kind.CLOSED, what + ": not sent, " + cause.getMessage(), cause);
        }
        return caller.open().isClosed()
                ? closed(cause)
                : IoFailures.ofRequest(what, cause, progress.isRequestStarted());
    }

    /** Returns how long to wait before the request is sent again, and uses that chance up; null if there is none. */
    private @Nullable Duration delayAfter(TransportException failure, IOException cause, Attempt attempt) {
        boolean repeatable =
                request.method().equals("GET") || !attempt.progress().isRequestStarted();
        if (failure.kind() == Kind.BROKEN && IoFailures.isUntouched(cause)) {
            Duration delay = RetryPolicy.delayOfUntouched(refusals);
            if (delay == null || !deadline.allows(delay)) {
                return null;
            }
            refusals++;
            needsTurn = false;
            return delay;
        }
        if (failure.kind() == Kind.BROKEN && repeatable && !hasBroken) {
            hasBroken = true;
            return Duration.ZERO;
        }
        if (failure.kind() == Kind.TLS
                && repeatable
                && !hasReloadedCertificates
                && caller.clients().reload(attempt.client())) {
            hasReloadedCertificates = true;
            return Duration.ZERO;
        }
        return null;
    }

    /** Returns whether the request is to be sent again; then the answer is closed, and the time to wait is over. */
    private boolean goOnAfter(HttpCaller.Answer answer, Attempt attempt) {
        Duration delay;
        try {
            delay = delayAfter(answer, attempt);
        } catch (RuntimeException | Error e) {
            answer.close();
            throw e;
        }
        if (delay == null) {
            return false;
        }
        discard(answer);
        int code = answer.response().code();
        caller.observers().metrics().retried(request.method(), code);
        log.debug("{}: {}, trying again in {}", what, code, delay);
        await(delay);
        return true;
    }

    /** Returns how long to wait before the request is sent again, and uses that chance up; null if this is the answer. */
    private @Nullable Duration delayAfter(HttpCaller.Answer answer, Attempt attempt) {
        int code = answer.response().code();
        caller.observers().metrics().attempted(request.method(), code);
        if (code == 401 && !hasRenewedCredential && renew(attempt)) {
            hasRenewedCredential = true;
            return Duration.ZERO;
        }
        Duration delay = RetryPolicy.delay(answer.response(), retries);
        if (delay == null || !deadline.allows(delay)) {
            return null;
        }
        retries++;
        return delay;
    }

    private boolean renew(Attempt refused) {
        try {
            // Both are looked for: which one the server did not like is not known.
            boolean otherCredential = caller.credentials()
                    .renew(refused.authorization(), () -> caller.clients().isFormer(refused.client()));
            boolean otherCertificate = caller.clients().reload(refused.client());
            return otherCredential || otherCertificate;
        } catch (TransportException e) {
            if (e.kind() == Kind.CLOSED) {
                throw e;
            }
            // The refusal is what the caller has to hear of first; the credential's own error comes with the
            // next request.
            log.warn("{}: refused with 401, and no fresh credential: {}", what, e.getMessage());
            return false;
        }
    }

    /** Reads what little an error says, so that its connection can be used again. */
    private static void discard(HttpCaller.Answer answer) {
        try {
            answer.response().body().source().skip(DISCARD_BYTES);
        } catch (IOException e) {
            log.trace("the body of a discarded answer ended early", e);
        } finally {
            answer.close();
        }
    }

    private void await(Duration delay) {
        if (delay.isZero()) {
            return;
        }
        try {
            if (!caller.time().pause().await(delay)) {
                throw closed(null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(Kind.CLOSED, what + ": interrupted while waiting to send", e);
        }
    }

    private TransportException interrupted(@Nullable Throwable cause) {
        return new TransportException(Kind.CLOSED, what + ": the calling thread was interrupted", cause);
    }

    private TransportException closed(@Nullable Throwable cause) {
        return new TransportException(Kind.CLOSED, what + ": the transport was closed", cause);
    }
}
