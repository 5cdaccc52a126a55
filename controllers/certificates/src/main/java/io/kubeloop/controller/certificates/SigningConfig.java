/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The settings of {@link CertificateSigningController} (upstream: {@code CSRSigningControllerConfiguration}).
 *
 * @param authorities returns the authority of each signer that runs; called for each signature, on several threads
 * @param maxLifetime the longest lifetime of a certificate; positive, by default 8760 h
 */
public record SigningConfig(Map<BuiltInSigner, Supplier<CertificateAuthority>> authorities, Duration maxLifetime) {

    /** The default of {@code maxLifetime}: a year. */
    public static final Duration YEAR = Duration.ofDays(365);

    /** Copies the map, and checks that the lifetime is positive. */
    public SigningConfig {
        authorities = authorities.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<>(authorities));
        if (maxLifetime.isZero() || maxLifetime.isNegative()) {
            throw new IllegalArgumentException("the lifetime of certificates must be positive, got " + maxLifetime);
        }
    }

    /** Returns settings in which one authority signs for all signers, for a year. */
    public static SigningConfig of(Supplier<CertificateAuthority> authority) {
        Map<BuiltInSigner, Supplier<CertificateAuthority>> all = new EnumMap<>(BuiltInSigner.class);
        for (BuiltInSigner signer : BuiltInSigner.values()) {
            all.put(signer, authority);
        }
        return new SigningConfig(all, YEAR);
    }
}
