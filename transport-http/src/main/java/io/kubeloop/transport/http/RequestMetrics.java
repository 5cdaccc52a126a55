package io.kubeloop.transport.http;

import java.time.Duration;

/**
 * Hears of what a transport sends: the place to measure it (upstream: {@code client-go/tools/metrics}). All methods do nothing
 * unless overridden.
 *
 * <p>Called on the threads that send, several at a time: implementations are thread-safe and quick. What they throw is logged
 * once and damages no request. Methods are in capitals, such as {@code GET}.
 */
public interface RequestMetrics {

    /** Measures nothing. */
    RequestMetrics NONE = new RequestMetrics() {};

    /** The code of an attempt that ended without an answer. */
    int NO_ANSWER = 0;

    /**
     * Observes how long a request waited for its turn: {@code rest_client_rate_limiter_duration_seconds}. Told of transports
     * that have a rate limit, also of no wait at all.
     */
    default void throttled(String method, Duration waited) {}

    /**
     * Counts an attempt, of requests and streams: {@code rest_client_requests_total}.
     *
     * @param code the HTTP status, or {@link #NO_ANSWER}
     */
    default void attempted(String method, int code) {}

    /**
     * Counts an attempt that will be followed by another one: {@code rest_client_request_retries_total}.
     *
     * @param code as with {@link #attempted}
     */
    default void retried(String method, int code) {}

    /**
     * Observes a request that is over, streams excepted: {@code rest_client_request_duration_seconds},
     * {@code rest_client_request_size_bytes}, {@code rest_client_response_size_bytes} (MX-01).
     *
     * @param took from the call until the answer was closed, or the call failed, waits and all attempts included
     * @param sentBytes the length of the request's body; 0 if there is none
     * @param receivedBytes how much of the answer's body was read, after unpacking; 0 if there was no answer
     */
    default void finished(String method, Duration took, long sentBytes, long receivedBytes) {}
}
