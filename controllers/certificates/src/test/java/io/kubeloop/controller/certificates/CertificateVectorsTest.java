/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.testing.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.X509CertificateHolder;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Certificates and rejections equal those of Kubernetes; {@code e2e/record-certificates.sh} records them. */
class CertificateVectorsTest {

    private static final Map<String, Object> VECTORS = vectors();
    private static final CertificateAuthority AUTHORITY =
            CertificateAuthority.parse(text(VECTORS, "certificate"), text(VECTORS, "key"));

    @SuppressWarnings("unchecked")
    private static Map<String, Object> vectors() {
        try (InputStream in = CertificateVectorsTest.class.getResourceAsStream("/vectors/certificates.json")) {
            return (Map<String, Object>)
                    Json.parse(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Map<String, Object> vector, String member) {
        return (String) vector.getOrDefault(member, "");
    }

    @SuppressWarnings("unchecked")
    private static <T> List<T> list(Map<String, Object> vector, String member) {
        Object found = vector.get(member);
        return found == null ? List.of() : (List<T>) found;
    }

    @TestFactory
    Stream<DynamicTest> issue_equalsUpstream() {
        List<Map<String, Object>> issued = list(VECTORS, "issued");
        assertThat(issued).hasSizeGreaterThan(50);
        return issued.stream().map(each -> DynamicTest.dynamicTest(text(each, "name"), () -> check(each)));
    }

    private static void check(Map<String, Object> vector) throws Exception {
        CertificateRequest request = CertificateRequest.parse(text(vector, "request"));
        List<String> usages = list(vector, "usages");
        Duration granted = Duration.ofSeconds(((Number) vector.get("seconds")).longValue());
        Instant now = Instant.parse(text(vector, "now"));
        String error = text(vector, "error");
        if (!error.isEmpty()) {
            String beforeTime = error.replaceFirst("NotAfter=.*", "NotAfter=");
            assertThatThrownBy(() -> AUTHORITY.issue(request, usages, granted, now))
                    .hasMessageStartingWith(beforeTime);
            return;
        }
        byte[] pem = AUTHORITY.issue(request, usages, granted, now);
        X509Certificate certificate = (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
        certificate.verify(AUTHORITY.certificate().getPublicKey());
        assertThat(certificate.getIssuerX500Principal())
                .isEqualTo(AUTHORITY.certificate().getSubjectX500Principal());
        assertThat(certificate.getSerialNumber().signum()).isNotNegative();
        assertThat(certificate.getNotBefore().toInstant()).isEqualTo(Instant.parse(text(vector, "notBefore")));
        assertThat(certificate.getNotAfter().toInstant()).isEqualTo(Instant.parse(text(vector, "notAfter")));
        assertThat(certificate.getPublicKey().getEncoded())
                .isEqualTo(request.publicKey().getEncoded());
        assertThat(HexFormat.of()
                        .formatHex(certificate.getSubjectX500Principal().getEncoded()))
                .isEqualTo(text(vector, "subject"));
        assertThat(extensions(certificate)).isEqualTo(wanted(vector));
    }

    private static List<String> extensions(X509Certificate certificate) throws Exception {
        X509CertificateHolder holder = new X509CertificateHolder(certificate.getEncoded());
        List<String> found = new ArrayList<>();
        for (Object id : holder.getExtensionOIDs()) {
            Extension extension = holder.getExtension((ASN1ObjectIdentifier) id);
            found.add(id + " " + extension.isCritical() + " "
                    + HexFormat.of().formatHex(extension.getExtnValue().getOctets()));
        }
        return found;
    }

    private static List<String> wanted(Map<String, Object> vector) {
        List<Map<String, Object>> extensions = list(vector, "extensions");
        return extensions.stream()
                .map(each -> each.get("id") + " " + each.get("critical") + " " + each.get("value"))
                .toList();
    }

    @TestFactory
    Stream<DynamicTest> rejection_equalsUpstream() {
        List<Map<String, Object>> rejections = list(VECTORS, "rejections");
        assertThat(rejections).hasSizeGreaterThan(100);
        return rejections.stream()
                .map(each -> DynamicTest.dynamicTest(text(each, "signer") + " " + each.get("usages"), () -> {
                    BuiltInSigner signer = Stream.of(BuiltInSigner.values())
                            .filter(candidate -> candidate.signerName().equals(text(each, "signer")))
                            .findFirst()
                            .orElseThrow();
                    assertThat(signer.rejection(CertificateRequest.parse(text(each, "request")), list(each, "usages")))
                            .isEqualTo(text(each, "message"));
                }));
    }
}
