/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http.header;

import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The identities of requests, which the header {@code Audit-Id} of each response shows (upstream: {@code
 * apiserver/pkg/endpoints/filters/audit_init.go}). Thread-safe.
 */
public final class AuditIds {

    private static final int MAX_LENGTH = 64;

    private final RandomGenerator random;

    /**
     * Creates a source.
     *
     * @param random must be thread-safe
     */
    public AuditIds(RandomGenerator random) {
        this.random = random;
    }

    /** Returns the identity that the client has chosen, or a new one if it has chosen none. */
    public String next(String chosen) {
        if (!chosen.isEmpty()) {
            return chosen.length() > MAX_LENGTH ? chosen.substring(0, MAX_LENGTH) : chosen;
        }
        long high = (random.nextLong() & ~0xf000L) | 0x4000L;
        long low = (random.nextLong() & ~(0xc0L << 56)) | (0x80L << 56);
        return new UUID(high, low).toString();
    }
}
