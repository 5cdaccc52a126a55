package io.kubeloop.transport.http;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * How long to wait for what. Zero waits forever. Timers count in whole milliseconds, up to 24 days: what is shorter or longer
 * becomes the shortest or longest of these.
 *
 * <p>A quiet watch is not cut over HTTP/2: it ends by the deadline of its request, by the peer, or by a ping that is not
 * answered. HTTP/1.1 has no pings; there a stream may be quiet for {@code idle}. An API server that is asked for bookmarks,
 * as informers do, sends one a minute.
 *
 * @param connect for a TCP connection, and again for the TLS handshake
 * @param read for the next byte of an answer that is not a stream; for a stream until its headers have come
 * @param call for one attempt of a request that is not a stream and has no deadline of its own, until its last byte
 * @param ping how often an HTTP/2 connection is asked for a sign of life, and how long it may take to give one
 * @param idle for the next byte of a stream over HTTP/1.1; the stream then ends as timed out
 */
@RecordBuilder
public record Timeouts(Duration connect, Duration read, Duration call, Duration ping, Duration idle) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

    /**
     * Connect 10 s, read 30 s, call 65 s, ping 30 s, idle 3 min. An API server gives up on a request after 60 s: waiting a
     * little longer lets its own answer arrive.
     */
    public static final Timeouts DEFAULT = new Timeouts(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(65),
            Duration.ofSeconds(30),
            Duration.ofMinutes(3));

    /** Refuses negative values; see the class comment for very short and very long ones. */
    public Timeouts {
        connect = check("connect", connect, Duration.ofSeconds(10));
        read = check("read", read, Duration.ofSeconds(30));
        call = check("call", call, Duration.ofSeconds(65));
        ping = check("ping", ping, Duration.ofSeconds(30));
        idle = check("idle", idle, Duration.ofMinutes(3));
    }

    private static Duration check(String what, Duration value, Duration fallback) {
        if (value == null) {
            return fallback;
        }
        if (value.isNegative()) {
            throw new IllegalArgumentException("timeout " + what + " must not be negative, got " + value);
        }
        if (value.compareTo(LONGEST) > 0) {
            return LONGEST;
        }
        return !value.isZero() && value.compareTo(SHORTEST) < 0 ? SHORTEST : value;
    }
}
