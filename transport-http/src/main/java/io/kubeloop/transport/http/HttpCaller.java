package io.kubeloop.transport.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a request as often as it takes to get an answer worth handing out (upstream: {@code client-go/rest/request.go},
 * {@code with_retry.go}).
 *
 * <p>A request is sent again when the server asks for patience ({@link RetryPolicy}); once with a fresh credential or
 * certificate after a 401; once with fresh certificates after TLS failed; once if the connection broke before the answer
 * and it was a GET; and when the server says that it did not touch the request (HTTP/2: a GOAWAY that leaves it out,
 * REFUSED_STREAM). Nothing else is repeated: after a broken connection nobody knows whether a write was carried out.
 *
 * <p>What is sent again waits for its turn again, but not what the server did not touch: there the turn has not been used
 * (Go's HTTP/2 repeats that below the rate limit, too).
 *
 * <p>Thread-safe; everything happens on the calling thread.
 */
final class HttpCaller {

    private static final Logger log = LoggerFactory.getLogger(HttpCaller.class);
    private static final long DISCARD_BYTES = 2048;

    private final HttpRequests requests;
    private final HttpClients clients;
    private final OpenCalls open;
    private final CredentialSource credentials;
    private final @Nullable TokenBucket limiter;
    private final Pause pause;
    private final Warnings warnings;
    private final RequestMetrics metrics;
    private final LongSupplier nanoTime;
    private final ThrottleNotice slowNotice;

    HttpCaller(
            HttpRequests requests,
            HttpClients clients,
            OpenCalls open,
            CredentialSource credentials,
            @Nullable TokenBucket limiter,
            Pause pause,
            Warnings warnings,
            RequestMetrics metrics,
            LongSupplier nanoTime) {
        this.requests = requests;
        this.clients = clients;
        this.open = open;
        this.credentials = credentials;
        this.limiter = limiter;
        this.pause = pause;
        this.warnings = warnings;
        this.metrics = metrics;
        this.nanoTime = nanoTime;
        this.slowNotice = new ThrottleNotice(nanoTime);
    }

    /**
     * An answer whose headers have arrived; the call stays registered until {@link #close()}.
     *
     * @param call what to cancel in order to interrupt a reader
     * @param response the answer
     * @param what the request, for messages
     * @param open where the call is registered
     */
    record Answer(Call call, Response response, String what, OpenCalls open) {

        /** Frees the connection. Not to be called while another thread reads the body. */
        void close() {
            try {
                response.close();
            } finally {
                open.remove(call);
            }
        }
    }

    /** Sends; see the class comment. */
    Answer call(ApiRequest request, boolean stream) {
        String what = requests.describe(request);
        Deadline deadline = new Deadline(request.deadline(), nanoTime);
        boolean renewed = false;
        TransportException former = null;
        boolean broken = false;
        boolean reloaded = false;
        boolean needsTurn = !stream;
        for (int retries = 0, refusals = 0; ; ) {
            if (needsTurn) {
                throttle(request.method(), what, deadline);
            }
            needsTurn = true;
            String authorization = credentials.authorization();
            CallProgress progress = new CallProgress();
            OkHttpClient used = clients.get(stream);
            Call call = used.newCall(requests.build(request, stream, authorization, progress));
            Answer answer;
            try {
                answer = attempt(call, used.connectionPool(), what, deadline);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw interrupted(what, e);
            } catch (IOException e) {
                if (!(e instanceof WriteGate.ShutException)) {
                    metrics.attempted(request.method(), RequestMetrics.NO_ANSWER);
                }
                TransportException failure = failure(what, e, progress);
                if (failure.kind() == Kind.TIMEOUT) {
                    // The server may be slow, or the connection dead without a word: with nobody else on it, it is not
                    // worth to find out, which over HTTP/2 takes a minute.
                    used.connectionPool().evictAll();
                }
                if (former != null) {
                    failure.addSuppressed(former);
                }
                boolean repeatable = request.method().equals("GET") || !progress.isRequestStarted();
                if (failure.kind() == Kind.BROKEN && Failures.isUntouched(e)) {
                    Duration delay = RetryPolicy.delayOfUntouched(refusals);
                    if (delay != null && deadline.allows(delay)) {
                        log.debug("{}; trying again in {}", failure.getMessage(), delay);
                        former = failure;
                        refusals++;
                        needsTurn = false;
                        metrics.retried(request.method(), RequestMetrics.NO_ANSWER);
                        await(delay, what);
                        continue;
                    }
                } else if (failure.kind() == Kind.BROKEN && repeatable && !broken) {
                    log.debug("{}; trying once more", failure.getMessage());
                    former = failure;
                    broken = true;
                    metrics.retried(request.method(), RequestMetrics.NO_ANSWER);
                    continue;
                }
                if (failure.kind() == Kind.TLS && repeatable && !reloaded && clients.reload(used)) {
                    log.debug("{}; trying once more with the certificates of now", failure.getMessage());
                    reloaded = true;
                    metrics.retried(request.method(), RequestMetrics.NO_ANSWER);
                    continue;
                }
                throw failure;
            }
            int code = answer.response().code();
            metrics.attempted(request.method(), code);
            if (code == 401 && !renewed && renew(authorization, used, answer)) {
                renewed = true;
                metrics.retried(request.method(), code);
                continue;
            }
            Duration delay = RetryPolicy.delay(answer.response(), retries);
            if (delay == null || !deadline.allows(delay)) {
                return answer;
            }
            retries++;
            discard(answer);
            metrics.retried(request.method(), code);
            log.debug("{}: {}, trying again in {}", what, code, delay);
            await(delay, what);
        }
    }

    /**
     * Sends once.
     *
     * @throws InterruptedException which {@code execute} throws without declaring it, while it tries several addresses
     */
    private Answer attempt(Call call, ConnectionPool pool, String what, Deadline deadline)
            throws IOException, InterruptedException {
        deadline.applyTo(call, what);
        if (open.isClosed()) {
            throw closed(what, null);
        }
        if (Thread.currentThread().isInterrupted()) {
            // Over HTTP/2 the head would lie in the connection's buffer, and be sent with somebody else's request.
            throw interrupted(what, null);
        }
        open.add(call, pool);
        Answer answer = null;
        boolean handedOut = false;
        try {
            answer = new Answer(call, call.execute(), what, open);
            warnings.accept(answer.response().headers("Warning"));
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

    private TransportException failure(String what, IOException e, CallProgress progress) {
        if (e instanceof WriteGate.ShutException) {
            return new TransportException(Kind.CLOSED, what + ": not sent, " + e.getMessage(), e);
        }
        return open.isClosed() ? closed(what, e) : Failures.ofRequest(what, e, progress.isRequestStarted());
    }

    private boolean renew(@Nullable String refused, OkHttpClient used, Answer answer) {
        try {
            // Both are looked for: which one the server did not like is not known.
            boolean otherCredential = credentials.renew(refused, () -> clients.isFormer(used));
            boolean otherCertificate = clients.reload(used);
            if (!otherCredential && !otherCertificate) {
                return false;
            }
        } catch (TransportException e) {
            if (e.kind() == Kind.CLOSED) {
                answer.close();
                throw e;
            }
            // The refusal is what the caller has to hear of first; the credential's own error comes with the
            // next request.
            log.warn("{}: refused with 401, and no fresh credential: {}", answer.what(), e.getMessage());
            return false;
        }
        discard(answer);
        return true;
    }

    private void throttle(String method, String what, Deadline deadline) {
        if (limiter == null) {
            return;
        }
        TokenBucket.Turn turn = limiter.reserve(deadline.left());
        if (turn == null) {
            throw new TransportException(
                    Kind.TIMEOUT,
                    what + ": not sent, as the client-side rate limit would hold it beyond its deadline of "
                            + deadline.limit(),
                    null);
        }
        Duration delay = turn.delay();
        if (!delay.isZero()) {
            slowNotice.waiting(what, delay);
            try {
                await(delay, what);
            } catch (TransportException e) {
                limiter.giveBack(turn);
                throw e;
            }
        }
        metrics.throttled(method, delay);
    }

    private void await(Duration delay, String what) {
        try {
            if (!pause.await(delay)) {
                throw closed(what, null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException(Kind.CLOSED, what + ": interrupted while waiting to send", e);
        }
    }

    /** Reads what little an error says, so that its connection can be used again. */
    private static void discard(Answer answer) {
        try {
            answer.response().body().source().skip(DISCARD_BYTES);
        } catch (IOException e) {
            log.trace("the body of a discarded answer ended early", e);
        } finally {
            answer.close();
        }
    }

    private static TransportException interrupted(String what, @Nullable Throwable cause) {
        return new TransportException(Kind.CLOSED, what + ": the calling thread was interrupted", cause);
    }

    private static TransportException closed(String what, @Nullable Throwable cause) {
        return new TransportException(Kind.CLOSED, what + ": the transport was closed", cause);
    }

    /** The moment by which a whole call, with all its attempts, must be over; or none. */
    private static final class Deadline {

        private final @Nullable Duration limit;
        private final long start;
        private final LongSupplier nanoTime;

        Deadline(@Nullable Duration limit, LongSupplier nanoTime) {
            this.limit = limit;
            this.nanoTime = nanoTime;
            this.start = nanoTime.getAsLong();
        }

        /** OkHttp's timer is shared by all calls and watches over the answer's body too. */
        void applyTo(Call call, String what) {
            Duration left = left();
            if (left != null) {
                if (left.isZero() || left.isNegative()) {
                    throw new TransportException(Kind.TIMEOUT, what + ": not sent within " + limit, null);
                }
                call.timeout().timeout(left.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        boolean allows(Duration delay) {
            Duration left = left();
            return left == null || delay.compareTo(left) < 0;
        }

        @Nullable
        Duration limit() {
            return limit;
        }

        /** Returns how much is left, which may be less than nothing; null for no end. */
        @Nullable
        Duration left() {
            return limit == null ? null : limit.minusNanos(nanoTime.getAsLong() - start);
        }
    }
}
