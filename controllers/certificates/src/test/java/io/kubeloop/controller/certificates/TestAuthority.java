/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.json.encoding.Pem;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Makes authorities and requests for tests. */
final class TestAuthority {

    static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private TestAuthority() {}

    static KeyPair elliptic() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static KeyPair rsa() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String algorithm(KeyPair keys) {
        return keys.getPrivate().getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
    }

    /** Returns a certificate of an authority that has signed itself, in PEM. */
    static String certificate(KeyPair keys, String subject, Duration lifetime) {
        try {
            X500Name name = new X500Name(subject);
            return Pem.write(
                    "CERTIFICATE",
                    new JcaX509v3CertificateBuilder(
                                    name,
                                    BigInteger.ONE,
                                    Date.from(NOW.minusSeconds(3600)),
                                    Date.from(NOW.plus(lifetime)),
                                    name,
                                    keys.getPublic())
                            .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
                            .build(new JcaContentSignerBuilder(algorithm(keys)).build(keys.getPrivate()))
                            .getEncoded());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a private key in the older form of its algorithm, PKCS #1 or SEC 1. */
    static String key(KeyPair keys) {
        if (keys.getPrivate() instanceof ECPrivateKey elliptic) {
            // The writer of the library leaves out the curve.
            try {
                byte[] der = new org.bouncycastle.asn1.sec.ECPrivateKey(
                                256, elliptic.getS(), SECObjectIdentifiers.secp256r1)
                        .getEncoded();
                return Pem.write("EC PRIVATE KEY", der);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(keys.getPrivate());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return text.toString();
    }

    /** Returns a private key in PKCS #8. */
    static String pkcs8(KeyPair keys) {
        return Pem.write("PRIVATE KEY", keys.getPrivate().getEncoded());
    }

    static CertificateAuthority authority(KeyPair keys) {
        return CertificateAuthority.parse(certificate(keys, "CN=ca", Duration.ofDays(3650)), key(keys));
    }

    /** Returns a request in PEM. */
    static String request(KeyPair keys, String subject) {
        try {
            return Pem.write(
                    "CERTIFICATE REQUEST",
                    new JcaPKCS10CertificationRequestBuilder(new X500Name(subject), keys.getPublic())
                            .build(new JcaContentSignerBuilder(algorithm(keys)).build(keys.getPrivate()))
                            .getEncoded());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}
