/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bundles of authorities, with the answers of Go's {@code crypto/x509}. */
class TrustBundlesTest {

    @SuppressWarnings("TimeInStaticInitializer") // certificates are valid around the time of the run
    private static final Instant NOW = Instant.now();

    private static final Duration YEAR = Duration.ofDays(365);

    /** The same key and name with three periods, as of an authority that is renewed. */
    private static final HeldCertificate VALID = authority(NOW.minus(YEAR), NOW.plus(YEAR), null);

    private static final HeldCertificate EXPIRED = authority(NOW.minus(YEAR), NOW.minusSeconds(60), VALID);
    private static final HeldCertificate EARLY = authority(NOW.plusSeconds(3_600), NOW.plus(YEAR), VALID);
    private static final HeldCertificate OTHER = new HeldCertificate.Builder()
            .commonName("other")
            .certificateAuthority(1)
            .build();
    private static final HeldCertificate SERVER = new HeldCertificate.Builder()
            .addSubjectAlternativeName("127.0.0.1")
            .signedBy(VALID)
            .build();
    private static final HeldCertificate EXPIRED_SERVER = new HeldCertificate.Builder()
            .addSubjectAlternativeName("127.0.0.1")
            .validityInterval(
                    NOW.minus(YEAR).toEpochMilli(), NOW.minusSeconds(60).toEpochMilli())
            .build();

    private static final String GARBAGE = block("CERTIFICATE", new byte[] {1, 2, 3});
    private static final String NOT_BASE64 = "-----BEGIN CERTIFICATE-----\n%%%\n-----END CERTIFICATE-----\n";
    private static final String WITH_HEADER =
            "-----BEGIN CERTIFICATE-----\nName: value\n\nAQID\n-----END CERTIFICATE-----\n";

    private static HeldCertificate authority(Instant from, Instant to, HeldCertificate same) {
        HeldCertificate.Builder builder = new HeldCertificate.Builder()
                .commonName("authority")
                .certificateAuthority(1)
                .validityInterval(from.toEpochMilli(), to.toEpochMilli());
        return same == null ? builder.build() : builder.keyPair(same.keyPair()).build();
    }

    private static String block(String type, byte[] content) {
        return "-----BEGIN " + type + "-----\n" + Base64.getEncoder().encodeToString(content) + "\n-----END " + type
                + "-----\n";
    }

    private static String pem(HeldCertificate certificate) {
        return certificate.certificatePem();
    }

    enum Bundle {
        ONE(pem(VALID), ""),
        SEVERAL(pem(OTHER) + pem(VALID), ""),
        TWICE(pem(VALID) + pem(VALID), ""),
        WITH_TEXT("# the authority\n" + pem(VALID) + "end\n", ""),
        UNREADABLE_FIRST(GARBAGE + pem(VALID), ""),
        UNREADABLE_LAST(pem(VALID) + GARBAGE, ""),
        NO_BASE64(NOT_BASE64 + pem(VALID), ""),
        NO_END("-----BEGIN CERTIFICATE-----\nAQID\n" + pem(VALID), ""),
        HEADERS(WITH_HEADER + pem(VALID), ""),
        A_KEY(VALID.privateKeyPkcs8Pem() + pem(VALID), ""),
        RENEWED(pem(EXPIRED) + pem(VALID), ""),
        RENEWED_IN_TIME(pem(VALID) + pem(EARLY), ""),
        EXPIRED_BESIDE_OTHERS(pem(EXPIRED) + pem(OTHER), "the certificate authority CN=authority is valid from "),
        EXPIRED_ALONE(pem(EXPIRED), "the certificate authority CN=authority is valid from "),
        NOT_YET_VALID(pem(EARLY), "the certificate authority CN=authority is valid from "),
        ONLY_UNREADABLE(GARBAGE, "a certificate cannot be read"),
        ANOTHER(pem(OTHER), "not signed by a trusted authority"),
        EMPTY("\n", "no PEM certificate"),
        ONLY_A_KEY(VALID.privateKeyPkcs8Pem(), "no PEM certificate, only [PRIVATE KEY]"),
        THE_SERVER_ITSELF(pem(SERVER), "");

        private final String pem;
        private final String refusal;

        Bundle(String pem, String refusal) {
            this.pem = pem;
            this.refusal = refusal;
        }
    }

    @ParameterizedTest
    @EnumSource
    void bundle_isReadAsByGo(Bundle bundle) throws IOException {
        Optional<Throwable> failure = connect(SERVER, bundle.pem);
        if (bundle.refusal.isEmpty()) {
            assertThat(failure).isEmpty();
        } else {
            assertThat(failure).get().isInstanceOf(TransportException.class);
            assertThat(failure.orElseThrow()).hasMessageContaining(bundle.refusal);
        }
    }

    @Test
    void expiredCertificate_thatIsItsOwnAuthority_isRefused() throws IOException {
        assertThat(connect(EXPIRED_SERVER, pem(EXPIRED_SERVER)))
                .get()
                .matches(e -> ((TransportException) e).kind() == Kind.TLS);
    }

    private static Optional<Throwable> connect(HeldCertificate certificate, String pem) throws IOException {
        HandshakeCertificates serving =
                new HandshakeCertificates.Builder().heldCertificate(certificate).build();
        try (MockWebServer server = new MockWebServer()) {
            server.useHttps(serving.sslSocketFactory());
            server.enqueue(new MockResponse.Builder().body("{}").build());
            server.start();
            ClientConfig config = ClientConfigBuilder.builder()
                    .server("https://127.0.0.1:" + server.getPort())
                    .tls(TlsConfigBuilder.builder().caData(pem).build())
                    .build();
            return Optional.ofNullable(catchThrowable(() -> {
                try (OkHttpTransport transport = OkHttpTransport.create(config);
                        ApiResponse response = transport.execute(ApiRequest.get("/version", Map.of()))) {
                    assertThat(response.code()).isEqualTo(200);
                }
            }));
        }
    }
}
