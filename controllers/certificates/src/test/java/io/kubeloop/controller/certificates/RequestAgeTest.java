/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.certificates;

import static io.kubeloop.controller.certificates.TestAuthority.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.certificates.CertificateSigningRequest;
import io.kubeloop.api.certificates.CertificateSigningRequestCondition;
import io.kubeloop.api.certificates.CertificateSigningRequestSpec;
import io.kubeloop.api.certificates.CertificateSigningRequestStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestAgeTest {

    /** A certificate of one hour. */
    private static final String CERTIFICATE = TestAuthority.base64(new String(
            TestAuthority.authority(TestAuthority.elliptic())
                    .issue(
                            CertificateRequest.parse(TestAuthority.request(TestAuthority.elliptic(), "CN=a")),
                            List.of("client auth"),
                            Duration.ofHours(1),
                            NOW),
            StandardCharsets.US_ASCII));

    private static CertificateSigningRequest request(String type, String certificate, boolean hasTime) {
        Time then = new Time(NOW);
        List<CertificateSigningRequestCondition> conditions = type.isEmpty()
                ? List.of()
                : List.of(CertificateSigningRequestCondition.of(type, "", "", hasTime ? then : null));
        return new CertificateSigningRequest(
                ObjectMetaBuilder.builder().name("r").creationTimestamp(then).build(),
                CertificateSigningRequestSpec.EMPTY,
                new CertificateSigningRequestStatus(conditions, certificate, UnknownFields.NONE),
                UnknownFields.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "'', false, true, PT24H, ''",
        "'', false, true, PT24H1S, nobody has decided about it for more than 24 h",
        "'', true, true, PT24H1S, nobody has decided about it for more than 24 h",
        "Denied, false, true, PT1H, ''",
        "Denied, false, true, PT1H1S, it was denied more than 1 h ago",
        "Failed, false, true, PT1H1S, it failed more than 1 h ago",
        "Approved, false, true, PT24H, ''",
        "Approved, false, true, PT24H1S, it was approved more than 24 h ago and not signed",
        "Approved, true, true, PT1H, ''",
        "Approved, true, true, PT1H1S, it was approved and signed more than 1 h ago",
        "Approved, true, false, PT1H, ''",
        "Approved, true, false, PT1H1S, its certificate has expired",
        "Denied, false, false, PT100H, ''",
        "Other, false, true, PT100H, ''"
    })
    void reasonToDelete_isThatOfTheAge(String type, boolean isIssued, boolean hasTime, Duration age, String reason) {
        assertThat(RequestAge.reasonToDelete(request(type, isIssued ? CERTIFICATE : "", hasTime), NOW.plus(age)))
                .isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource({"Z2FyYmFnZQ==", "'!'", "LS0tLS1CRUdJTiBYLS0tLS0KQUFBQQotLS0tLUVORCBYLS0tLS0K"})
    void reasonToDelete_unreadableCertificate_isKept(String certificate) {
        assertThat(RequestAge.reasonToDelete(request("Approved", certificate, false), NOW.plus(Duration.ofDays(9))))
                .isEmpty();
    }
}
