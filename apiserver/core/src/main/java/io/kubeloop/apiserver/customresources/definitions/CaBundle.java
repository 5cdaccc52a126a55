package io.kubeloop.apiserver.customresources.definitions;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rule of the CA bundle of a webhook (upstream: {@code ValidateCABundle}). Static functions only. */
final class CaBundle {

    private static final String PREFIX = "unable to load root certificates: ";
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([^-\\n]+)-----\\n([A-Za-z0-9+/=\\s]*)-----END \\1-----");

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
        Matcher blocks = BLOCK.matcher(new String(Base64.getMimeDecoder().decode(bundle), StandardCharsets.ISO_8859_1));
        boolean isPem = false;
        String malformed = null;
        while (blocks.find()) {
            isPem = true;
            if (blocks.group(1).equals("CERTIFICATE")) {
                String problem = malformed(blocks.group(2));
                if (problem == null) {
                    return null;
                }
                malformed = malformed == null ? problem : malformed;
            }
        }
        if (!isPem) {
            return PREFIX + "unable to parse bytes as PEM block";
        }
        return PREFIX + (malformed == null ? "no valid certificate authority data seen" : malformed);
    }

    private static @Nullable String malformed(String certificate) {
        try {
            byte[] der = Base64.getMimeDecoder().decode(certificate);
            var unused = CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
            return null;
        } catch (CertificateException | IllegalArgumentException e) {
            return "failed to parse certificate: x509: malformed certificate"; // of Go's texts, the most frequent one
        }
    }
}
