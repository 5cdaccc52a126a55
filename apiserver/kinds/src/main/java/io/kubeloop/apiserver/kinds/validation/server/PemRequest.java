/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import io.kubeloop.json.encoding.Der;
import io.kubeloop.json.encoding.Pem;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The PEM documents of certificate signing requests: PKCS #10 requests and certificates (upstream: Go's {@code
 * crypto/x509}).
 */
public final class PemRequest {

    /** The algorithms of signatures, by the bytes of their object identifiers in hexadecimal form. */
    private static final Map<String, String> ALGORITHMS = Map.of(
            "2a864886f70d010105", "SHA1withRSA",
            "2a8648ce3d0401", "SHA1withECDSA",
            "2a864886f70d01010b", "SHA256withRSA",
            "2a864886f70d01010c", "SHA384withRSA",
            "2a864886f70d01010d", "SHA512withRSA",
            "2a8648ce3d040302", "SHA256withECDSA",
            "2a8648ce3d040303", "SHA384withECDSA",
            "2a8648ce3d040304", "SHA512withECDSA",
            "2b6570", "Ed25519");

    /** The algorithms of keys, by the same. */
    private static final Map<String, String> KEYS =
            Map.of("2a864886f70d010101", "RSA", "2a8648ce3d0201", "EC", "2b6570", "Ed25519");

    /** The object identifier 2.5.4.10. */
    private static final byte[] ORGANIZATION = {0x55, 4, 10};

    private static final int MIN_RSA_BITS = 1024;
    private static final String MALFORMED = "asn1: structure error: malformed certificate request";

    private PemRequest() {}

    /**
     * A decoded request.
     *
     * @param content the signed part
     * @param key the public key with its algorithm
     * @param algorithm the object identifier of the signature, in hexadecimal form
     * @param signature the signature
     */
    private record Signed(byte[] content, byte[] key, String algorithm, byte[] signature) {

        /** Decodes a request; throws a {@link RuntimeException} if it is malformed. */
        static Signed of(byte[] der) {
            Der request = new Der(der).open(Der.SEQUENCE);
            byte[] info = request.readWhole();
            String algorithm =
                    HexFormat.of().formatHex(request.open(Der.SEQUENCE).read(Der.OBJECT_ID));
            byte[] bits = request.read(Der.BIT_STRING);
            Der fields = new Der(info).open(Der.SEQUENCE);
            fields.open(Der.INTEGER);
            fields.open(Der.SEQUENCE); // the subject
            return new Signed(info, fields.readWhole(), algorithm, Arrays.copyOfRange(bits, 1, bits.length));
        }

        /** Returns the error of the signature; empty if it matches. */
        String problem() {
            return verify(content, key, algorithm, signature);
        }
    }

    /** Returns the error of a PEM certificate request; empty if the request is valid and its signature matches. */
    static String problem(byte[] pem) {
        List<Pem> blocks = blocks(pem);
        if (blocks.isEmpty() || !blocks.get(0).type().equals("CERTIFICATE REQUEST")) {
            return "PEM block type must be CERTIFICATE REQUEST";
        }
        try {
            Der whole = new Der(blocks.get(0).content());
            Signed signed = Signed.of(blocks.get(0).content());
            whole.skip();
            return whole.hasMore() ? "asn1: syntax error: trailing data" : signed.problem();
        } catch (RuntimeException e) {
            return MALFORMED;
        }
    }

    /** Returns the public key of a request that has no PEM block; null if the request is malformed. */
    static @Nullable PublicKey key(byte[] der) {
        try {
            byte[] key = Signed.of(der).key();
            String algorithm = HexFormat.of()
                    .formatHex(
                            new Der(key).open(Der.SEQUENCE).open(Der.SEQUENCE).read(Der.OBJECT_ID));
            String name = KEYS.get(algorithm);
            return name == null ? null : KeyFactory.getInstance(name).generatePublic(new X509EncodedKeySpec(key));
        } catch (GeneralSecurityException | RuntimeException e) {
            return null;
        }
    }

    /** Returns whether the signature of a request that has no PEM block matches. */
    static boolean isSigned(byte[] der) {
        return Signed.of(der).problem().isEmpty();
    }

    /** Returns what is wrong with the certificate of an authority; empty if it is valid. */
    static String problemOfAuthority(Pem block) {
        if (!block.type().equals("CERTIFICATE")) {
            return "has bad block type: " + block.type();
        }
        if (!block.headers().isEmpty()) {
            return "has PEM block headers";
        }
        X509Certificate certificate = certificate(block);
        return certificate == null
                ? "does not parse as X.509"
                : certificate.getBasicConstraints() < 0 ? "does not have the CA bit set" : "";
    }

    /** Returns the certificate of a block; null if it is malformed. */
    static @Nullable X509Certificate certificate(Pem block) {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(block.content()));
        } catch (CertificateException e) {
            return null;
        }
    }

    private static List<Pem> blocks(byte[] pem) {
        return Pem.blocks(new String(pem, StandardCharsets.ISO_8859_1));
    }

    /**
     * Returns the organizations in the subject of a request.
     *
     * @throws IllegalArgumentException if it is not a PEM document of a request
     */
    public static List<String> organizations(byte[] pem) {
        List<Pem> blocks = blocks(pem);
        if (blocks.isEmpty()) {
            throw new IllegalArgumentException(MALFORMED);
        }
        Der info = new Der(blocks.get(0).content()).open(Der.SEQUENCE).open(Der.SEQUENCE);
        info.open(Der.INTEGER);
        Der names = info.open(Der.SEQUENCE);
        List<String> organizations = new ArrayList<>();
        while (names.hasMore()) {
            Der set = names.open(Der.SET);
            while (set.hasMore()) {
                Der attribute = set.open(Der.SEQUENCE);
                byte[] id = attribute.read(Der.OBJECT_ID);
                byte[] value = attribute.read(attribute.peekTag());
                if (Arrays.equals(id, ORGANIZATION)) {
                    organizations.add(new String(value, StandardCharsets.UTF_8));
                }
            }
        }
        return organizations;
    }

    private static String verify(byte[] content, byte[] key, String id, byte[] signature) {
        String algorithm = ALGORITHMS.get(id);
        if (algorithm == null) {
            return "x509: cannot verify signature: algorithm unimplemented";
        }
        String keys = algorithm.endsWith("RSA") ? "RSA" : algorithm.endsWith("ECDSA") ? "EC" : "Ed25519";
        String failure = algorithm.endsWith("withRSA")
                ? "crypto/rsa: verification error"
                : "x509: " + (keys.equals("EC") ? "ECDSA" : keys) + " verification failure";
        try {
            PublicKey publicKey = KeyFactory.getInstance(keys).generatePublic(new X509EncodedKeySpec(key));
            int bits = publicKey instanceof RSAKey rsa ? rsa.getModulus().bitLength() : MIN_RSA_BITS;
            if (bits < MIN_RSA_BITS) {
                return "crypto/rsa: " + bits
                        + "-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)";
            }
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(publicKey);
            verifier.update(content);
            return verifier.verify(signature) ? "" : failure;
        } catch (GeneralSecurityException e) {
            return failure;
        }
    }

    /** Returns the error of a PEM document of certificates; empty if the document is valid or empty. */
    static String problemOfCertificate(byte[] pem) {
        if (pem.length == 0) {
            return "";
        }
        List<Pem> found = blocks(pem);
        if (found.isEmpty()) {
            return "must contain at least one CERTIFICATE PEM block";
        }
        for (Pem block : found) {
            if (!block.type().equals("CERTIFICATE")) {
                return "only CERTIFICATE PEM blocks are allowed, found \"" + block.type() + "\"";
            }
            if (!block.headers().isEmpty()) {
                return "no PEM block headers are permitted";
            }
            if (certificate(block) == null && !lacksAName(block.content())) {
                return "x509: malformed certificate";
            }
        }
        return "";
    }

    /** Returns whether a certificate has an empty issuer or subject. The JDK reads none of those, Go does. */
    private static boolean lacksAName(byte[] certificate) {
        try {
            Der signed = new Der(certificate).open(Der.SEQUENCE).open(Der.SEQUENCE);
            if (signed.peekTag() == Der.CONTEXT_0) {
                signed.skip(); // the version
            }
            signed.read(Der.INTEGER);
            signed.read(Der.SEQUENCE);
            boolean hasIssuer = signed.open(Der.SEQUENCE).hasMore();
            signed.read(Der.SEQUENCE);
            boolean hasSubject = signed.open(Der.SEQUENCE).hasMore();
            signed.read(Der.SEQUENCE);
            return !hasIssuer || !hasSubject;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
