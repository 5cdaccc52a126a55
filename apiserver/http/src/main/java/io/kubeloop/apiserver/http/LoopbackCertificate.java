/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.http;

import io.kubeloop.apiserver.http.wire.NewAuthority;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A certificate for {@code localhost} and {@code 127.0.0.1} with a new key, and the new authority that has issued it.
 * Some clients reject an authority that serves itself. Immutable; thread-safe.
 *
 * @param pem the certificate of the authority, which clients trust
 * @param serving serves with the certificate
 */
public record LoopbackCertificate(String pem, ServingCertificate serving) {

    /**
     * Makes a certificate that is valid from a day before this time for a year.
     *
     * @param clients the authorities of client certificates; null if the server does not request any
     */
    public static LoopbackCertificate create(Instant now, @Nullable ClientAuthorities clients) {
        NewAuthority authority = new NewAuthority("kubeloop-ca", now);
        NewAuthority.Issued server = authority.issueForServer("kubeloop", "localhost");
        byte[] certificate = server.certificate().getBytes(StandardCharsets.US_ASCII);
        return new LoopbackCertificate(authority.pem(), ServingCertificate.load(certificate, server.key(), clients));
    }
}
