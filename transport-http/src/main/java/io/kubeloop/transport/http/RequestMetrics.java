/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import java.time.Duration;

/**
 * Receives measurements of the requests of one transport (upstream: {@code client-go/tools/metrics}). Every method does
 * nothing unless overridden.
 *
 * <p>The transport calls the methods on the threads of the requests, several at a time. Implementations must be
 * thread-safe and must not block. An exception is logged, at most once a minute, and does not affect the request. HTTP
 * methods are in capitals, such as {@code GET}.
 */
public interface RequestMetrics {

    /** No measurements. */
    RequestMetrics NONE = new RequestMetrics() {};

    /** The code of an attempt without a response. */
    int NO_ANSWER = 0;

    /**
     * Observes the wait of a request for the rate limit: {@code rest_client_rate_limiter_duration_seconds}. Called for
     * each request of a transport with a rate limit, also if there was no wait.
     */
    default void throttled(String method, Duration waited) {}

    /**
     * Counts an attempt of a request or stream: {@code rest_client_requests_total}.
     *
     * @param code the HTTP status, or {@link #NO_ANSWER}
     */
    default void attempted(String method, int code) {}

    /**
     * Counts an attempt that another attempt follows: {@code rest_client_request_retries_total}.
     *
     * @param code as with {@link #attempted}
     */
    default void retried(String method, int code) {}

    /**
     * Observes the end of a request; not called for streams. Metrics: {@code rest_client_request_duration_seconds},
     * {@code rest_client_request_size_bytes}, {@code rest_client_response_size_bytes}.
     *
     * @param took the time from the call until the response was closed or the call failed, with all waits and attempts
     * @param sentBytes the length of the request's body; 0 if it has none
     * @param receivedBytes the number of bytes read from the response's body, after decompression; 0 without a response
     */
    default void finished(String method, Duration took, long sentBytes, long receivedBytes) {}
}
