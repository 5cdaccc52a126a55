/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.warnings;

import io.kubeloop.apiserver.rest.PemBlock;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
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
import java.util.Arrays;
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

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;

    /** Version 0 and the algorithm of RSA, at the beginning of a key in PKCS #8. */
    private static final byte[] RSA = HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

    private TlsKeyPair() {}

    private static boolean isPrivateKey(PemBlock block) {
        return block.type().equals(PRIVATE_KEY) || block.type().endsWith(" " + PRIVATE_KEY);
    }

    private static List<PemBlock> blocks(byte[] pem) {
        return PemBlock.all(new String(pem, StandardCharsets.ISO_8859_1));
    }

    /** Returns why a pair cannot be used, in Go's words; null if it can. */
    static @Nullable String problem(byte[] certificates, byte[] keys) {
        List<PemBlock> chain = blocks(certificates);
        PemBlock certificate = chain.stream()
                .filter(block -> block.type().equals(CERTIFICATE))
                .findFirst()
                .orElse(null);
        if (certificate == null) {
            return withoutCertificate(chain);
        }
        List<PemBlock> all = blocks(keys);
        PemBlock key = all.stream().filter(TlsKeyPair::isPrivateKey).findFirst().orElse(null);
        return key == null ? withoutKey(all) : problem(certificate, key);
    }

    private static String withoutCertificate(List<PemBlock> skipped) {
        if (skipped.isEmpty()) {
            return "tls: failed to find any PEM data in certificate input";
        }
        if (skipped.size() == 1 && skipped.get(0).type().endsWith(PRIVATE_KEY)) {
            return "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs"
                    + " may have been switched";
        }
        return "tls: failed to find \"CERTIFICATE\" PEM block in certificate input after skipping PEM blocks of the"
                + " following types: " + types(skipped);
    }

    private static String withoutKey(List<PemBlock> skipped) {
        if (skipped.isEmpty()) {
            return "tls: failed to find any PEM data in key input";
        }
        if (skipped.size() == 1 && skipped.get(0).type().equals(CERTIFICATE)) {
            return "tls: found a certificate rather than a key in the PEM for the private key";
        }
        return "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after skipping PEM blocks of"
                + " the following types: " + types(skipped);
    }

    private static String types(List<PemBlock> blocks) {
        return "[" + String.join(" ", blocks.stream().map(PemBlock::type).toList()) + "]";
    }

    private static @Nullable String problem(PemBlock certificate, PemBlock key) {
        PublicKey open;
        try {
            open = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(certificate.content()))
                    .getPublicKey();
        } catch (CertificateException e) {
            // Of Go's texts, those of a document that is no certificate, and of a certificate without content.
            boolean isSequence = certificate.content().length > 0 && certificate.content()[0] == SEQUENCE;
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
        byte[] wrapped = element(SEQUENCE, concat(RSA, element(OCTETS, der)));
        return Stream.of(
                        read("RSA", wrapped),
                        read("RSA", der),
                        read("EC", der),
                        read("Ed25519", der),
                        read("EC", ofCurve(der, certified)))
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

    /**
     * Returns a key of SEC 1 in PKCS #8. Its own parameters name its curve; a key without parameters is taken to be of
     * the certificate's curve.
     */
    private static byte[] ofCurve(byte[] der, PublicKey certified) {
        byte[] curve = curve(der);
        if (curve.length == 0 && certified instanceof ECPublicKey) {
            byte[] encoded = certified.getEncoded();
            int algorithm = header(encoded, 0);
            byte[] identifiers = Arrays.copyOfRange(encoded, algorithm, algorithm + size(encoded, algorithm));
            return element(SEQUENCE, concat(new byte[] {2, 1, 0}, concat(identifiers, element(OCTETS, der))));
        }
        byte[] ecKey = HexFormat.of().parseHex("06072a8648ce3d0201");
        byte[] algorithm = element(SEQUENCE, concat(ecKey, curve));
        return element(SEQUENCE, concat(new byte[] {2, 1, 0}, concat(algorithm, element(OCTETS, der))));
    }

    /** Returns the element that names the curve of a key of SEC 1; empty if it has none. */
    private static byte[] curve(byte[] der) {
        try {
            int at = header(der, 0);
            at += size(der, at); // the version
            at += size(der, at); // the number
            if (at < der.length && der[at] == (byte) 0xa0) {
                int from = header(der, at);
                return Arrays.copyOfRange(der, from, from + size(der, from));
            }
        } catch (ArithmeticException | IndexOutOfBoundsException | IllegalArgumentException e) {
            return new byte[0]; // it is no such key
        }
        return new byte[0];
    }

    /** Returns where the content of an element begins. */
    private static int header(byte[] der, int at) {
        int length = der[at + 1] & 0xff;
        return at + 2 + (length > 0x7f ? length & 0x7f : 0);
    }

    /** Returns the size of an element with its header. */
    private static int size(byte[] der, int at) {
        int content = header(der, at);
        int length = content == at + 2
                ? der[at + 1]
                : new BigInteger(1, Arrays.copyOfRange(der, at + 2, content)).intValueExact();
        return content - at + length;
    }

    private static byte[] element(int tag, byte[] content) {
        int length = content.length;
        String digits = Integer.toHexString(length);
        byte[] number = HexFormat.of().parseHex(digits.length() % 2 == 0 ? digits : "0" + digits);
        byte[] size = length < 0x80 ? number : concat(new byte[] {(byte) (0x80 | number.length)}, number);
        return concat(concat(new byte[] {(byte) tag}, size), content);
    }

    private static byte[] concat(byte[] one, byte[] two) {
        byte[] both = Arrays.copyOf(one, one.length + two.length);
        System.arraycopy(two, 0, both, one.length, two.length);
        return both;
    }
}
