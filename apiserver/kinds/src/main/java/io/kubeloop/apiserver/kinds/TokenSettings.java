/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds;

import java.net.URI;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a server issues and verifies the tokens of service accounts (upstream: {@code
 * options.ServiceAccountAuthenticationOptions}).
 *
 * @param signingKey signs tokens, and verifies them: RSA, or ECDSA on a curve of 256, 384 or 521 bits; null for a key
 *     that the server makes at its first use, with which its tokens end
 * @param verificationKeys verify the tokens of others, such as those of the token controller
 * @param issuers the accepted issuers; the first is written into tokens
 * @param audiences the audiences of this server; the issuers if empty
 * @param jwksUri the address of the keys that the OpenID configuration states, with the scheme {@code https}; empty for
 *     the address of this server
 */
public record TokenSettings(
        @Nullable KeyPair signingKey,
        List<PublicKey> verificationKeys,
        List<String> issuers,
        List<String> audiences,
        String jwksUri) {

    /** The issuer {@code https://kubernetes.default.svc}, with a key that the server makes. */
    public static final TokenSettings DEFAULT =
            new TokenSettings(null, List.of(), List.of("https://kubernetes.default.svc"), List.of(), "");

    /**
     * Copies the lists and checks the values.
     *
     * @throws IllegalArgumentException if there is no issuer, an issuer is empty or repeated, or the address is not one
     *     of HTTPS
     */
    public TokenSettings {
        verificationKeys = List.copyOf(verificationKeys);
        issuers = List.copyOf(issuers);
        audiences = audiences.isEmpty() ? issuers : List.copyOf(audiences);
        if (issuers.isEmpty()
                || issuers.contains("")
                || issuers.stream().distinct().count() < issuers.size()) {
            throw new IllegalArgumentException("issuers must be given, different and not empty, got " + issuers);
        }
        if (!jwksUri.isEmpty() && !"https".equals(URI.create(jwksUri).getScheme())) {
            throw new IllegalArgumentException("the address of the keys must have the scheme https, got " + jwksUri);
        }
    }
}
