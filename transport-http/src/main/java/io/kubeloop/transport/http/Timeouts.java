/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * The limits on the waits of a client. Immutable. Zero waits without a limit.
 *
 * <p>Timers count whole milliseconds: shorter values become 1 ms, longer ones than 24 days become 24 days.
 *
 * <p>Over HTTP/2, a silent watch ends by the deadline of its request, by the peer, or by a ping without a reply; {@code
 * idle} does not apply. HTTP/1.1 has no pings, so there a stream may be silent only for {@code idle}. An API server
 * sends a bookmark every minute to clients that request bookmarks, as informers do.
 *
 * @param connect the limit for a TCP connection, and again for the TLS handshake
 * @param read the limit for the next byte of a response; of a stream, only until its headers have arrived
 * @param call the limit for one attempt of a request that is neither a stream nor has its own deadline, until its last
 *     byte
 * @param ping the interval of pings on an HTTP/2 connection, and the limit for each reply
 * @param idle the limit for the next byte of a stream over HTTP/1.1; the stream then ends as timed out
 */
@RecordBuilder
public record Timeouts(Duration connect, Duration read, Duration call, Duration ping, Duration idle) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

    /**
     * Connect 10 s, read 30 s, call 65 s, ping 30 s, idle 3 min. An API server abandons a request after 60 s. The
     * slightly longer wait lets its own error response arrive.
     */
    public static final Timeouts DEFAULT = new Timeouts(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(65),
            Duration.ofSeconds(30),
            Duration.ofMinutes(3));

    /**
     * Replaces null by the default. Rejects negative values; for very short and very long ones see the class comment.
     */
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
