/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.api.WithMethods;
import io.kubeloop.apiserver.http.wire.ConnectionLimits;
import java.time.Duration;

/**
 * The resources that clients may use, so no client can starve the others. All durations must be positive.
 * Immutable.
 *
 * @param maxConnections the maximum number of open connections, at least 1; further connections are closed unread
 * @param maxHeaderBytes the maximum size of request line and headers together, at least 1
 * @param headerTimeout the time for a request's line and headers; before the first request also for the TLS
 *     handshake
 * @param bodyTimeout the time for a request's body
 * @param idleTimeout the time that a connection may stay open without a request
 * @param writeTimeout the time that a client may block the server's writes by not reading, in a response or in the
 *     TLS handshake; checked at the interval of {@link HttpApiServer.Config#idleWatch()}
 */
@WithMethods
public record HttpLimits(
        int maxConnections,
        int maxHeaderBytes,
        Duration headerTimeout,
        Duration bodyTimeout,
        Duration idleTimeout,
        Duration writeTimeout)
        implements HttpLimitsBuilder.With {

    /**
     * The defaults: 8192 connections, 1 MiB of headers within 32 s, a body within 60 s, 90 s without a request, and
     * 60 s of blocked writes. The limits of headers and idle connections are upstream's ({@code
     * apiserver/pkg/server/secure_serving.go}); upstream does not limit the number of connections.
     */
    public static final HttpLimits DEFAULT = new HttpLimits(
            8192,
            1 << 20,
            Duration.ofSeconds(32),
            Duration.ofSeconds(60),
            Duration.ofSeconds(90),
            Duration.ofSeconds(60));

    /** Checks the values. */
    public HttpLimits {
        new ConnectionLimits(maxConnections, maxHeaderBytes, headerTimeout, bodyTimeout, idleTimeout, writeTimeout);
    }

    /** Returns the same limits for the listener. */
    ConnectionLimits connection() {
        return new ConnectionLimits(
                maxConnections, maxHeaderBytes, headerTimeout, bodyTimeout, idleTimeout, writeTimeout);
    }
}
