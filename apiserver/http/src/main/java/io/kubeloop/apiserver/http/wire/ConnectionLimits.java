/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.wire;

import java.time.Duration;

/**
 * The resources that one listener grants to its clients. Immutable.
 *
 * @param maxConnections the maximum number of open connections, at least 1; further connections are closed unread
 * @param maxHeaderBytes the maximum size of request line and headers together, at least 1
 * @param headerTimeout the time for a request's line and headers; before the first request also for the TLS handshake
 * @param bodyTimeout the time for a request's body
 * @param idleTimeout the time that a connection may stay open without a request
 * @param writeTimeout the time that a client may block the server's writes by not reading
 */
public record ConnectionLimits(
        int maxConnections,
        int maxHeaderBytes,
        Duration headerTimeout,
        Duration bodyTimeout,
        Duration idleTimeout,
        Duration writeTimeout) {

    /** Checks the values. */
    public ConnectionLimits {
        if (maxConnections < 1 || maxHeaderBytes < 1) {
            throw new IllegalArgumentException("maxConnections and maxHeaderBytes must be at least 1, got "
                    + maxConnections + ", " + maxHeaderBytes);
        }
        check("headerTimeout", headerTimeout);
        check("bodyTimeout", bodyTimeout);
        check("idleTimeout", idleTimeout);
        check("writeTimeout", writeTimeout);
    }

    private static void check(String name, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(name + " must be positive, got " + value);
        }
    }
}
