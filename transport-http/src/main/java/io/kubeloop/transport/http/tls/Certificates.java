/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import io.kubeloop.json.encoding.Pem;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Reads X.509 certificates from PEM. Stateless. */
public final class Certificates {

    private Certificates() {}

    /**
     * Returns the certificates of a PEM text, in order.
     *
     * @throws IllegalArgumentException if there is no certificate, or one cannot be read
     */
    public static List<X509Certificate> parse(String text) {
        List<X509Certificate> certificates = new ArrayList<>();
        List<Pem> blocks = Pem.requireBlocks(text);
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Pem block : blocks) {
                if (block.type().equals("CERTIFICATE")) {
                    certificates.add(
                            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(block.content())));
                }
            }
        } catch (CertificateException e) {
            throw new IllegalArgumentException("a certificate cannot be read: " + e.getMessage(), e);
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("no PEM certificate"
                    + (blocks.isEmpty()
                            ? ""
                            : ", only " + blocks.stream().map(Pem::type).toList()));
        }
        return certificates;
    }
}
