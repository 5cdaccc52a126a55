/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.json.encoding.Pem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/**
 * A certificate authority: a certificate and its private key, which issue certificates (upstream: {@code
 * authority.CertificateAuthority}). Immutable; thread-safe.
 */
public final class CertificateAuthority {

    private static final int SERIAL_BITS = 128;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final X509Certificate certificate;
    private final PrivateKey key;
    private final String algorithm;

    private CertificateAuthority(X509Certificate certificate, PrivateKey key) {
        this.certificate = certificate;
        this.key = key;
        algorithm = algorithm(key);
    }

    /**
     * Reads an authority from PEM texts. As upstream, it need not have the basic constraint {@code CA}.
     *
     * @param certificatePem exactly one certificate
     * @param keyPem its private key, RSA or EC, in PKCS #8, PKCS #1 or SEC 1, not encrypted
     * @throws IllegalArgumentException if a text has not this content, or the key is not that of the certificate
     */
    public static CertificateAuthority parse(String certificatePem, String keyPem) {
        X509Certificate certificate = certificate(certificatePem);
        CertificateAuthority authority = new CertificateAuthority(certificate, key(keyPem));
        authority.checkKey();
        return authority;
    }

    private static X509Certificate certificate(String pem) {
        List<Pem> found = Pem.requireBlocks(pem).stream()
                .filter(block -> block.type().equals("CERTIFICATE"))
                .toList();
        if (found.size() != 1) {
            throw new IllegalArgumentException("expected 1 certificate, found " + found.size());
        }
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(found.get(0).content()));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the certificate is malformed: " + e.getMessage(), e);
        }
    }

    private static PrivateKey key(String pem) {
        JcaPEMKeyConverter converter = new JcaPEMKeyConverter();
        try (PEMParser parser = new PEMParser(new StringReader(pem))) {
            for (Object block = parser.readObject(); block != null; block = parser.readObject()) {
                if (block instanceof PEMKeyPair pair) {
                    return converter.getPrivateKey(pair.getPrivateKeyInfo());
                } else if (block instanceof PrivateKeyInfo info) {
                    return converter.getPrivateKey(info);
                } else if (block instanceof PEMEncryptedKeyPair || block instanceof PKCS8EncryptedPrivateKeyInfo) {
                    throw new IllegalArgumentException("the private key is encrypted");
                }
            }
        } catch (IOException | IllegalStateException e) {
            throw new IllegalArgumentException("the private key is malformed: " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("found no private key");
    }

    private static String algorithm(PrivateKey key) {
        if (key instanceof RSAPrivateKey) {
            return "SHA256withRSA";
        }
        if (key instanceof ECPrivateKey elliptic) {
            int bits = elliptic.getParams().getCurve().getField().getFieldSize();
            return bits <= 256 ? "SHA256withECDSA" : bits <= 384 ? "SHA384withECDSA" : "SHA512withECDSA";
        }
        throw new IllegalArgumentException("the private key must be RSA or EC, not " + key.getAlgorithm());
    }

    private void checkKey() {
        byte[] text = {1};
        boolean matches;
        try {
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(text);
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(certificate.getPublicKey());
            verifier.update(text);
            matches = verifier.verify(signer.sign());
        } catch (GeneralSecurityException e) {
            matches = false; // a key of another algorithm
        }
        if (!matches) {
            throw new IllegalArgumentException("the private key does not match the public key of the certificate");
        }
    }

    /** Returns the certificate of the authority. */
    public X509Certificate certificate() {
        return certificate;
    }

    /**
     * Issues a certificate, in PEM. Signs once.
     *
     * @param usages the key usages as the Kubernetes API names them, such as {@code client auth}
     * @param granted the wanted lifetime
     * @throws IllegalArgumentException if the request has no valid signature, or a usage is unknown
     * @throws IllegalStateException if this authority has expired
     */
    byte[] issue(CertificateRequest request, List<String> usages, Duration granted, Instant now) {
        if (!request.isSigned()) {
            throw new IllegalArgumentException("unable to verify certificate request signature");
        }
        KeyUsages keyUsages = KeyUsages.of(usages);
        Lifetime lifetime = Lifetime.of(granted, now, certificate.getNotAfter().toInstant());
        X500Name issuer =
                X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
        X500Name subject = request.subject().name();
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, RANDOM),
                Date.from(lifetime.notBefore()),
                Date.from(lifetime.notAfter()),
                subject,
                request.publicKey());
        try {
            if (keyUsages.keyUsage() != null) {
                builder.addExtension(Extension.keyUsage, true, keyUsages.keyUsage());
            }
            if (keyUsages.extendedKeyUsage() != null) {
                builder.addExtension(Extension.extendedKeyUsage, false, keyUsages.extendedKeyUsage());
            }
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            byte[] identifier = certificate.getExtensionValue(Extension.subjectKeyIdentifier.getId());
            if (identifier != null && !issuer.equals(subject)) {
                builder.addExtension(Extension.authorityKeyIdentifier, false, keyIdentifier(identifier));
            }
            if (!request.names().isEmpty()) {
                // A certificate without a subject is identified by its other names, which must be critical then.
                builder.addExtension(
                        Extension.subjectAlternativeName,
                        subject.getRDNs().length == 0,
                        new GeneralNames(request.names().toArray(GeneralName[]::new)));
            }
            return Pem.write(
                            "CERTIFICATE",
                            builder.build(new JcaContentSignerBuilder(algorithm).build(key))
                                    .getEncoded())
                    .getBytes(StandardCharsets.US_ASCII);
        } catch (IOException | OperatorCreationException e) {
            throw new IllegalStateException("failed to sign certificate: " + e.getMessage(), e);
        }
    }

    /** Returns the reference to the key whose identifier the extension of the authority's certificate contains. */
    private static AuthorityKeyIdentifier keyIdentifier(byte[] extension) {
        byte[] content = ASN1OctetString.getInstance(extension).getOctets();
        return new AuthorityKeyIdentifier(ASN1OctetString.getInstance(content).getOctets());
    }
}
