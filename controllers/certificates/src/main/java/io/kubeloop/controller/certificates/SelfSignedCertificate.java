/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import io.kubeloop.json.encoding.Pem;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate for {@code localhost} and {@code 127.0.0.1} that signs itself, with a new key, for a server that is
 * given none (upstream: {@code client-go/util/cert.GenerateSelfSignedCertKey}).
 *
 * @param certificate the certificate in PEM
 * @param key its private key in PEM, as PKCS #8
 */
public record SelfSignedCertificate(String certificate, String key) {

    /** Makes a certificate that is valid from an hour before this time for a year. */
    public static SelfSignedCertificate create(Instant now) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            X500Name name = new X500Name("CN=localhost@" + now.getEpochSecond());
            GeneralNames names = new GeneralNames(new GeneralName[] {
                new GeneralName(GeneralName.dNSName, "localhost"), new GeneralName(GeneralName.iPAddress, "127.0.0.1")
            });
            var certificate = new JcaX509v3CertificateBuilder(
                            name,
                            BigInteger.valueOf(now.toEpochMilli()),
                            Date.from(now.minus(Duration.ofHours(1))),
                            Date.from(now.plus(Duration.ofDays(365))),
                            name,
                            keys.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(
                            Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                    .addExtension(Extension.subjectAlternativeName, false, names)
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
            return new SelfSignedCertificate(
                    Pem.write("CERTIFICATE", certificate.getEncoded()),
                    Pem.write("PRIVATE KEY", keys.getPrivate().getEncoded()));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("this JDK cannot make a certificate", e);
        }
    }
}
