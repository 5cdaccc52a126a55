/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import static io.kubeloop.controller.certificates.TestAuthority.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.json.encoding.Pem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateAuthorityTest {

    private static final KeyPair RSA = TestAuthority.rsa();
    private static final KeyPair ELLIPTIC = TestAuthority.elliptic();
    private static final String RSA_CERTIFICATE = TestAuthority.certificate(RSA, "CN=rsa", Duration.ofDays(10));
    private static final String EC_CERTIFICATE = TestAuthority.certificate(ELLIPTIC, "CN=ec", Duration.ofDays(10));

    private static X509Certificate issued(CertificateAuthority authority, KeyPair keys) throws Exception {
        CertificateRequest request = CertificateRequest.parse(TestAuthority.request(keys, "O=devs,CN=jane"));
        byte[] pem = authority.issue(request, List.of("client auth", "digital signature"), Duration.ofHours(1), NOW);
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
    }

    @Test
    void issue_everyKindOfKey_isAValidPathForTheJdk() throws Exception {
        for (KeyPair ca : List.of(RSA, ELLIPTIC)) {
            CertificateAuthority authority = TestAuthority.authority(ca);
            for (KeyPair client : List.of(RSA, ELLIPTIC)) {
                X509Certificate certificate = issued(authority, client);
                PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(authority.certificate(), null)));
                parameters.setRevocationEnabled(false);
                parameters.setDate(Date.from(NOW));
                CertPathValidator.getInstance("PKIX")
                        .validate(
                                CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)),
                                parameters);

                assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
                assertThat(certificate.getCriticalExtensionOIDs()).containsExactlyInAnyOrder("2.5.29.15", "2.5.29.19");
                assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
                assertThat(certificate.getKeyUsage()).startsWith(true, false);
                assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo("CN=jane,O=devs");
                assertThat(certificate.getPublicKey()).isEqualTo(client.getPublic());
            }
        }
    }

    @Test
    void issue_changedRequest_isRejected() {
        String pem = TestAuthority.request(ELLIPTIC, "CN=jane");
        byte[] der = Pem.blocks(pem).get(0).content();
        der[der.length - 1] ^= 1;
        CertificateRequest changed = CertificateRequest.parse(Pem.write("CERTIFICATE REQUEST", der));

        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        TestAuthority.authority(RSA).issue(changed, List.of("client auth"), Duration.ofHours(1), NOW))
                .withMessage("unable to verify certificate request signature");
    }

    @Test
    void parse_formsOfKeys_areEqual() {
        for (KeyPair keys : List.of(RSA, ELLIPTIC)) {
            String certificate = TestAuthority.certificate(keys, "CN=ca", Duration.ofDays(1));
            assertThat(TestAuthority.key(keys)).containsAnyOf("BEGIN RSA PRIVATE KEY", "BEGIN EC PRIVATE KEY");
            assertThat(CertificateAuthority.parse(certificate, TestAuthority.key(keys))
                            .certificate())
                    .isEqualTo(CertificateAuthority.parse(certificate, TestAuthority.pkcs8(keys))
                            .certificate());
        }
    }

    @Test
    void parse_badInput_namesTheProblem() {
        String key = TestAuthority.key(ELLIPTIC);
        assertRejected("", key, "expected 1 certificate, found 0");
        assertRejected("garbage", key, "expected 1 certificate, found 0");
        assertRejected(EC_CERTIFICATE + RSA_CERTIFICATE, key, "expected 1 certificate, found 2");
        assertRejected(
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", key, "the certificate is malformed");
        assertRejected(
                "-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n",
                key,
                "PEM block CERTIFICATE is not base64");
        assertRejected(EC_CERTIFICATE, "", "found no private key");
        assertRejected(EC_CERTIFICATE, "garbage", "found no private key");
        assertRejected(EC_CERTIFICATE, EC_CERTIFICATE, "found no private key");
        assertRejected(
                EC_CERTIFICATE,
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
                "the private key is malformed");
        String mismatch = "the private key does not match the public key of the certificate";
        assertRejected(RSA_CERTIFICATE, key, mismatch);
        assertRejected(EC_CERTIFICATE, TestAuthority.key(TestAuthority.elliptic()), mismatch);
        assertRejected(EC_CERTIFICATE, TestAuthority.key(RSA), mismatch);
    }

    private static void assertRejected(String certificate, String key, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CertificateAuthority.parse(certificate, key))
                .withMessageStartingWith(message);
    }

    @Test
    void request_badInput_namesTheProblem() {
        for (String pem : List.of("", "garbage", EC_CERTIFICATE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CertificateRequest.parse(pem))
                    .withMessage("PEM block type must be CERTIFICATE REQUEST");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CertificateRequest.parse(
                        "-----BEGIN CERTIFICATE REQUEST-----\nMAMCAQE=\n-----END CERTIFICATE REQUEST-----\n"))
                .withMessageStartingWith("malformed certificate request");
    }

    @Test
    void files_replaced_areUsed_unlessTheyDoNotFit(@TempDir Path home) throws IOException {
        Path certificate = home.resolve("ca.crt");
        Path key = home.resolve("ca.key");
        assertThatThrownBy(() -> CertificateAuthorityFiles.read(certificate, key))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("cannot read " + certificate);
        Files.writeString(certificate, RSA_CERTIFICATE);
        Files.writeString(key, TestAuthority.key(RSA));
        CertificateAuthorityFiles files = CertificateAuthorityFiles.read(certificate, key);
        CertificateAuthority first = files.get();

        Files.writeString(certificate, EC_CERTIFICATE);
        assertThat(files.get()).as("the key is that of the old certificate").isSameAs(first);
        Files.writeString(key, TestAuthority.key(ELLIPTIC));
        assertThat(files.get().certificate().getSubjectX500Principal().getName())
                .isEqualTo("CN=ec");
        Files.delete(key);
        assertThat(files.get().certificate().getSubjectX500Principal().getName())
                .isEqualTo("CN=ec");
    }
}
