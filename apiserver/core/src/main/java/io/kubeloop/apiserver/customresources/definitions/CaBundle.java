/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.json.encoding.Pem;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rule of the CA bundle of a webhook (upstream: {@code ValidateCABundle}). Static functions only. */
final class CaBundle {

    private static final String PREFIX = "unable to load root certificates: ";

    private CaBundle() {}

    /**
     * Returns why a bundle cannot be used; null if it contains a certificate, or is empty.
     *
     * @param bundle the certificates in PEM, in base64
     */
    static @Nullable String problem(String bundle) {
        if (bundle.isEmpty()) {
            return null;
        }
        List<Pem> blocks = Pem.blocks(new String(Base64.getMimeDecoder().decode(bundle), StandardCharsets.ISO_8859_1));
        String malformed = null;
        for (Pem block : blocks) {
            if (block.type().equals("CERTIFICATE") && block.headers().isEmpty()) {
                String problem = malformed(block.content());
                if (problem == null) {
                    return null;
                }
                malformed = malformed == null ? problem : malformed;
            }
        }
        if (blocks.isEmpty()) {
            return PREFIX + "unable to parse bytes as PEM block";
        }
        return PREFIX + (malformed == null ? "no valid certificate authority data seen" : malformed);
    }

    private static @Nullable String malformed(byte[] der) {
        try {
            var unused = CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
            return null;
        } catch (CertificateException e) {
            return "failed to parse certificate: x509: malformed certificate"; // of Go's texts, the most frequent one
        }
    }
}
