/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The period in which a certificate is valid (upstream: {@code authority.PermissiveSigningPolicy}).
 *
 * @param notBefore five minutes before the signature, for clients whose clock is late
 * @param notAfter never after the end of the authority
 */
record Lifetime(Instant notBefore, Instant notAfter) {

    private static final Duration BACKDATE = Duration.ofMinutes(5);

    /** A certificate of less time ends its full time after the signature; the end of others is backdated too. */
    private static final Duration SHORT = Duration.ofHours(8);

    private static final Duration MIN = Duration.ofMinutes(10);

    /**
     * Returns the lifetime of a certificate: the requested time, but at least ten minutes and at most the maximum.
     *
     * @param requestedSeconds null for the maximum
     */
    static Duration granted(@Nullable Integer requestedSeconds, Duration max) {
        if (requestedSeconds == null) {
            return max;
        }
        Duration requested = Duration.ofSeconds(requestedSeconds);
        if (requested.compareTo(max) > 0) {
            return max;
        }
        return requested.compareTo(MIN) < 0 ? MIN : requested;
    }

    /**
     * Returns the period of a certificate that is signed now.
     *
     * @param granted the wanted time
     * @param authorityEnd the end of the authority
     * @throws IllegalStateException if the authority has expired
     */
    static Lifetime of(Duration granted, Instant now, Instant authorityEnd) {
        Instant begin = now.minus(BACKDATE);
        Instant end = now.plus(granted);
        if (granted.compareTo(SHORT) >= 0) {
            end = end.minus(BACKDATE);
        }
        if (!begin.isBefore(authorityEnd)) {
            throw new IllegalStateException("the signer has expired: NotAfter=" + authorityEnd);
        }
        if (!now.isBefore(authorityEnd)) {
            throw new IllegalStateException(
                    "refusing to sign a certificate that expired in the past: NotAfter=" + authorityEnd);
        }
        return new Lifetime(begin, end.isBefore(authorityEnd) ? end : authorityEnd);
    }
}
