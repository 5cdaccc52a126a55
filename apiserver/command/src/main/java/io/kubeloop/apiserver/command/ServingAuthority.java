/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import io.kubeloop.command.UsageException;
import io.kubeloop.json.encoding.Pem;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the authority in the certificate file of a server. Static functions only. */
public final class ServingAuthority {

    private ServingAuthority() {}

    /**
     * Returns the certificate that a client must trust to accept the first certificate: the last one of its chain.
     *
     * @param chain certificates as PEM, the server's first
     * @return the certificate as PEM; empty if the chain is empty
     * @throws UsageException if the chain contains no authority of the server's certificate, which has not signed
     *     itself
     */
    public static String of(String chain) {
        List<X509Certificate> all = read(chain);
        if (all.isEmpty()) {
            return "";
        }
        X509Certificate last = all.get(0);
        for (X509Certificate next = issuer(last, all); next != null && next != last; next = issuer(last, all)) {
            last = next;
        }
        if (issuer(last, all) == null && last.getBasicConstraints() < 0) {
            throw new UsageException("cannot write a kubeconfig: --tls-cert-file does not contain the certificate of "
                    + last.getIssuerX500Principal().getName() + ", which has issued that of "
                    + last.getSubjectX500Principal().getName() + "; append it to the file");
        }
        try {
            return Pem.write("CERTIFICATE", last.getEncoded());
        } catch (CertificateException e) {
            throw new IllegalStateException("a certificate that was read has no encoding", e);
        }
    }

    private static @Nullable X509Certificate issuer(X509Certificate of, List<X509Certificate> all) {
        return all.stream()
                .filter(candidate -> candidate.getSubjectX500Principal().equals(of.getIssuerX500Principal())
                        && isSigned(of, candidate))
                .findFirst()
                .orElse(null);
    }

    private static boolean isSigned(X509Certificate certificate, X509Certificate issuer) {
        try {
            certificate.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false; // another key of the same name
        }
    }

    private static List<X509Certificate> read(String chain) {
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(chain.getBytes(StandardCharsets.ISO_8859_1)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (CertificateException e) {
            throw new IllegalStateException("certificates that were read have become unreadable", e);
        }
    }
}
