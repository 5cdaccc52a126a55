/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.manager;

import java.security.KeyPair;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of the controllers of service accounts.
 *
 * @param keys signs the tokens of token secrets: RSA or ECDSA; null disables serviceaccount-token-controller
 * @param rootCa the CA bundle in PEM that pods receive to verify the API server; empty for none
 * @param legacyTokenPeriod the time without a use until generated token secrets are invalidated, and then deleted; more
 *     than 0, default 365 days
 */
public record ServiceAccountOptions(@Nullable KeyPair keys, String rootCa, Duration legacyTokenPeriod) {

    /** No tokens, no CA bundle and a period of 365 days. */
    public static final ServiceAccountOptions DEFAULT = new ServiceAccountOptions(null, "", Duration.ofDays(365));

    /** Checks that the period is more than zero. */
    public ServiceAccountOptions {
        if (legacyTokenPeriod.isZero() || legacyTokenPeriod.isNegative()) {
            throw new IllegalArgumentException("legacyTokenPeriod must be more than 0, got " + legacyTokenPeriod);
        }
    }
}
