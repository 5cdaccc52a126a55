package io.kubeloop.transport.memory.http;

import java.time.Duration;

/**
 * How much a client may take of the server, so that none can starve the others. Immutable.
 *
 * @param maxConnections how many connections are served at once; beyond that, new ones are closed unread; 1 or more
 * @param maxHeaderBytes how long request line and headers may be together; 1 or more
 * @param headerTimeout how long they may take to arrive, and before them the TLS handshake as a whole
 * @param bodyTimeout how long a body may take to arrive
 * @param idleTimeout how long a connection may be without request
 * @param writeTimeout how long a client may keep the server from writing, by not reading, be it an answer or the TLS
 *     handshake; checked as often as watches are looked after ({@link HttpApiServer.Config#idleWatch()})
 */
public record HttpLimits(
        int maxConnections,
        int maxHeaderBytes,
        Duration headerTimeout,
        Duration bodyTimeout,
        Duration idleTimeout,
        Duration writeTimeout) {

    /**
     * 4096 connections, 1 MiB of headers within 32 s, a body within 60 s, 90 s of silence, as kube-apiserver has them
     * ({@code apiserver/pkg/server/secure_serving.go}, where connections are not counted), and 60 s of not reading.
     */
    public static final HttpLimits DEFAULT = new HttpLimits(
            4096,
            1 << 20,
            Duration.ofSeconds(32),
            Duration.ofSeconds(60),
            Duration.ofSeconds(90),
            Duration.ofSeconds(60));

    /** Checks the values. */
    public HttpLimits {
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

    /** Returns these limits with another number of connections. */
    public HttpLimits withMaxConnections(int connections) {
        return new HttpLimits(connections, maxHeaderBytes, headerTimeout, bodyTimeout, idleTimeout, writeTimeout);
    }

    /** Returns these limits with another length of headers. */
    public HttpLimits withMaxHeaderBytes(int bytes) {
        return new HttpLimits(maxConnections, bytes, headerTimeout, bodyTimeout, idleTimeout, writeTimeout);
    }

    /** Returns these limits with another time for headers. */
    public HttpLimits withHeaderTimeout(Duration timeout) {
        return new HttpLimits(maxConnections, maxHeaderBytes, timeout, bodyTimeout, idleTimeout, writeTimeout);
    }

    /** Returns these limits with another time for a body. */
    public HttpLimits withBodyTimeout(Duration timeout) {
        return new HttpLimits(maxConnections, maxHeaderBytes, headerTimeout, timeout, idleTimeout, writeTimeout);
    }

    /** Returns these limits with another time without request. */
    public HttpLimits withIdleTimeout(Duration timeout) {
        return new HttpLimits(maxConnections, maxHeaderBytes, headerTimeout, bodyTimeout, timeout, writeTimeout);
    }

    /** Returns these limits with another time without reading. */
    public HttpLimits withWriteTimeout(Duration timeout) {
        return new HttpLimits(maxConnections, maxHeaderBytes, headerTimeout, bodyTimeout, idleTimeout, timeout);
    }
}
