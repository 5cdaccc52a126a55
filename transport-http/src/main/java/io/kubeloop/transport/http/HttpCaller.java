package io.kubeloop.transport.http;

import io.kubeloop.api.client.ApiRequest;
import java.util.function.LongSupplier;
import okhttp3.Call;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

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
 * <p>These are the parts that all requests of a transport share; each has an {@link HttpExchange} of its own. Thread-safe;
 * everything happens on the calling thread.
 *
 * @param limiter the client-side rate limit; null for none
 * @param pause waits between attempts
 */
record HttpCaller(
        HttpRequests requests,
        HttpClients clients,
        OpenCalls open,
        CredentialSource credentials,
        @Nullable TokenBucket limiter,
        ThrottleNotice slowNotice,
        Pause pause,
        Warnings warnings,
        RequestMetrics metrics,
        LongSupplier nanoTime) {

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
        return new HttpExchange(this, request, stream).untilAnswered();
    }
}
