/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.warnings;

import io.kubeloop.json.encoding.Der;
import io.kubeloop.json.encoding.Pem;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECKey;
import java.security.interfaces.RSAKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a certificate and a private key in PEM belong together (upstream: Go's {@code tls.X509KeyPair}).
 * Static functions only.
 */
final class TlsKeyPair {

    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";
    private static final String UNPARSABLE = "tls: failed to parse private key";

    private static final byte[] RSA = HexFormat.of().parseHex("06092a864886f70d010101");
    private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

    private TlsKeyPair() {}

    private static boolean isPrivateKey(Pem block) {
        return block.type().equals(PRIVATE_KEY) || block.type().endsWith(" " + PRIVATE_KEY);
    }

    private static List<Pem> blocks(byte[] pem) {
        return Pem.blocks(new String(pem, StandardCharsets.ISO_8859_1));
    }

    /** Returns why a pair cannot be used, in Go's words; null if it can. */
    static @Nullable String problem(byte[] certificates, byte[] keys) {
        List<Pem> chain = blocks(certificates);
        Pem certificate = chain.stream()
                .filter(block -> block.type().equals(CERTIFICATE))
                .findFirst()
                .orElse(null);
        if (certificate == null) {
            return withoutCertificate(chain);
        }
        List<Pem> all = blocks(keys);
        Pem key = all.stream().filter(TlsKeyPair::isPrivateKey).findFirst().orElse(null);
        return key == null ? withoutKey(all) : problem(certificate, key);
    }

    private static String withoutCertificate(List<Pem> skipped) {
        if (skipped.isEmpty()) {
            return "tls: failed to find any PEM data in certificate input";
        }
        if (skipped.size() == 1 && skipped.get(0).type().endsWith(PRIVATE_KEY)) {
            return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM "
                    + "inputs may have been switched";
        }
        return "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM blocks of the"
                + " following types: " + types(skipped);
    }

    private static String withoutKey(List<Pem> skipped) {
        if (skipped.isEmpty()) {
            return "tls: failed to find any PEM data in key input";
        }
        if (skipped.size() == 1 && skipped.get(0).type().equals(CERTIFICATE)) {
            return "tls: found a certificate rather than a key in the PEM for the private key";
        }
        return "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after skipping PEM "
                + "blocks of"
                + " the following types: " + types(skipped);
    }

    private static String types(List<Pem> blocks) {
        return "[" + String.join(" ", blocks.stream().map(Pem::type).toList()) + "]";
    }

    private static @Nullable String problem(Pem certificate, Pem key) {
        PublicKey open;
        try {
            open = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(certificate.content()))
                    .getPublicKey();
        } catch (CertificateException e) {
            // Of Go's texts, those of a document that is no certificate, and of a certificate without content.
            boolean isSequence = new Der(certificate.content()).peekTag() == Der.SEQUENCE;
            return "x509: malformed " + (isSequence ? "tbs certificate" : "certificate");
        }
        PrivateKey secret = privateKey(key.content(), open);
        if (secret == null) {
            return UNPARSABLE;
        }
        try {
            return problem(open, secret);
        } catch (GeneralSecurityException e) {
            return "tls: private key does not match public key"; // it cannot sign with these parameters
        }
    }

    private static @Nullable String problem(PublicKey open, PrivateKey secret) throws GeneralSecurityException {
        boolean matches;
        if (open instanceof RSAKey rsa && secret instanceof RSAKey own) {
            matches = own.getModulus().equals(rsa.getModulus());
        } else if (open instanceof ECKey && secret instanceof ECKey) {
            matches = signs(open, secret, "SHA256withECDSA");
        } else if (open instanceof EdECKey && secret instanceof EdECKey) {
            matches = signs(open, secret, "Ed25519");
        } else {
            return "tls: private key type does not match public key type";
        }
        return matches ? null : "tls: private key does not match public key";
    }

    private static boolean signs(PublicKey open, PrivateKey secret, String algorithm) throws GeneralSecurityException {
        byte[] text = PRIVATE_KEY.getBytes(StandardCharsets.US_ASCII);
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(secret);
        signature.update(text);
        byte[] signed = signature.sign();
        signature.initVerify(open);
        signature.update(text);
        return signature.verify(signed);
    }

    /** Reads a key in PKCS #1, PKCS #8 or SEC 1, whatever its label states, as Go. */
    private static @Nullable PrivateKey privateKey(byte[] der, PublicKey certified) {
        return Stream.of(
                        read("RSA", pkcs8(Der.write(Der.SEQUENCE, RSA, Der.write(Der.NULL)), der)),
                        read("RSA", der),
                        read("EC", der),
                        read("Ed25519", der),
                        read("EC", pkcs8(curve(der, certified), der)))
                .filter(key -> key != null)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable PrivateKey read(String algorithm, byte[] pkcs8) {
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (GeneralSecurityException e) {
            return null; // it may have another form
        }
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
        return Der.write(
                Der.SEQUENCE, Der.write(Der.INTEGER, new byte[1]), algorithm, Der.write(Der.OCTET_STRING, key));
    }

    /**
     * Returns the algorithm of a key of SEC 1. Its own parameters name its curve; a key without parameters is taken to
     * be of the certificate's curve.
     */
    private static byte[] curve(byte[] der, PublicKey certified) {
        byte[] curve = curve(der);
        return curve.length == 0 && certified instanceof ECPublicKey
                ? new Der(certified.getEncoded()).open(Der.SEQUENCE).readWhole()
                : Der.write(Der.SEQUENCE, EC, curve);
    }

    /** Returns the element that names the curve of a key of SEC 1; empty if it has none. */
    private static byte[] curve(byte[] der) {
        try {
            Der key = new Der(der).open(Der.SEQUENCE);
            key.skip(); // the version
            key.skip(); // the number
            return key.peekTag() == Der.CONTEXT_0 ? key.read(Der.CONTEXT_0) : new byte[0];
        } catch (IllegalArgumentException e) {
            return new byte[0]; // it is no such key
        }
    }
}
