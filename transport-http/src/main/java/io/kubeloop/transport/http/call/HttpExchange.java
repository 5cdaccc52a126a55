/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.call;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import io.kubeloop.transport.http.RequestMetrics;
import io.kubeloop.transport.http.errors.IoErrors;
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
 * One request with all its attempts; {@link HttpCaller} lists the reasons for another attempt. Its fields count the
 * attempts of each kind. Used once, by one thread.
 */
final class HttpExchange {

    private static final Logger LOG = LoggerFactory.getLogger(HttpExchange.class);
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

    /** The number of attempts that the server did not process. */
    private int refusals;

    /** The number of attempts that the server answered with a request to try later. */
    private int retries;

    /** The failure of the last attempt; null if it had a response. */
    private @Nullable TransportException former;

    /**
     * The settings of one attempt.
     *
     * @param authorization the value of the header; null for none
     */
    private record Attempt(@Nullable String authorization, OkHttpClient client, CallProgress progress) {}

    HttpExchange(HttpCaller caller, ApiRequest request, boolean stream) {
        this.caller = caller;
        this.request = request;
        this.stream = stream;
        this.what = caller.requests().describe(request);
        this.deadline = new Deadline(request.deadline(), caller.scheduler()::nanoTime);
        this.needsTurn = !stream;
    }

    /**
     * Returns the response, whatever its code. Blocks until its headers have arrived; an interrupt and the end of the
     * transport end the wait.
     *
     * @throws TransportException if there is no response
     */
    HttpCaller.Answer untilAnswered() {
        while (true) {
            if (needsTurn) {
                throttle();
            }
            needsTurn = true;
            // The order matters: a program that returns the credential may also change the certificate.
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
                    what + ": not sent, because the client-side rate limit would delay it beyond its deadline of "
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
        caller.observers().measure(metrics -> metrics.throttled(request.method(), delay));
    }

    /**
     * Makes one attempt.
     *
     * @throws InterruptedException undeclared by {@code execute}, which throws it while it tries several addresses
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
            // Over HTTP/2, the headers would remain in the buffer of the connection, and be sent with the request of
            // another thread.
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
     * Prepares another attempt after one without a response; waits if necessary.
     *
     * @throws TransportException the failure, if there is no further attempt
     */
    private void goOnAfter(IOException cause, Attempt attempt) {
        if (!(cause instanceof WriteFence.FencedException)) {
            caller.observers().measure(metrics -> metrics.attempted(request.method(), RequestMetrics.NO_ANSWER));
        }
        TransportException failure = failure(cause, attempt.progress());
        if (failure.kind() == Kind.TIMEOUT) {
            caller.open().evictIdle();
        }
        if (former != null) {
            failure.addSuppressed(former);
        }
        Duration delay = delayAfter(failure, cause, attempt);
        if (delay == null) {
            throw failure;
        }
        LOG.debug("{}; trying again in {}", failure.getMessage(), delay);
        former = failure;
        caller.observers().measure(metrics -> metrics.retried(request.method(), RequestMetrics.NO_ANSWER));
        await(delay);
    }

    private TransportException failure(IOException cause, CallProgress progress) {
        if (cause instanceof WriteFence.FencedException) {
            return new TransportException(Kind.CLOSED, what + ": not sent, " + cause.getMessage(), cause);
        }
        return caller.open().isClosed() ? closed(cause) : IoErrors.ofRequest(what, cause, progress.isRequestStarted());
    }

    /** Returns the delay before another attempt, and counts it; null if there is no further attempt. */
    private @Nullable Duration delayAfter(TransportException failure, IOException cause, Attempt attempt) {
        boolean repeatable =
                request.method().equals("GET") || !attempt.progress().isRequestStarted();
        if (failure.kind() == Kind.BROKEN && IoErrors.isUntouched(cause)) {
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

    /** Returns whether another attempt follows; then the response is closed and the delay has passed. */
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
        caller.observers().measure(metrics -> metrics.retried(request.method(), code));
        LOG.debug("{}: {}, trying again in {}", what, code, delay);
        await(delay);
        return true;
    }

    /** Returns the delay before another attempt, and counts it; null if the response is final. */
    private @Nullable Duration delayAfter(HttpCaller.Answer answer, Attempt attempt) {
        int code = answer.response().code();
        caller.observers().measure(metrics -> metrics.attempted(request.method(), code));
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
            // Renews both, because the reason of the 401 is unknown.
            boolean otherCredential = caller.credentials()
                    .renew(refused.authorization(), () -> caller.clients().isFormer(refused.client()));
            boolean otherCertificate = caller.clients().reload(refused.client());
            return otherCredential || otherCertificate;
        } catch (TransportException e) {
            if (e.kind() == Kind.CLOSED) {
                throw e;
            }
            // The caller must first receive the 401. The error of the credential follows with the next request.
            LOG.warn("{}: 401, and no fresh credential is available: {}", what, e.getMessage());
            return false;
        }
    }

    /** Reads the short body of an error, so its connection can be used again. */
    private static void discard(HttpCaller.Answer answer) {
        try {
            answer.response().body().source().skip(DISCARD_BYTES);
        } catch (IOException e) {
            LOG.trace("the body of a discarded answer ended early", e);
        } finally {
            answer.close();
        }
    }

    private void await(Duration delay) {
        if (delay.isZero()) {
            return;
        }
        try {
            if (!caller.open().await(caller.scheduler(), delay)) {
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
