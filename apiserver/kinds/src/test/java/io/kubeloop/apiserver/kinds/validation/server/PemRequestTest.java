/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PemRequestTest {

    private static final String WITHOUT_SUBJECT = """
            -----BEGIN CERTIFICATE-----
            MIIBVTCB/aADAgECAhRcO9iiTeeNJNjBDxQUVh1Gx5hglzAKBggqhkjOPQQDAjAA
            MCAXDTI2MTEyOTAxNTMzNVoYDzIxMjYxMTA1MDE1MzM1WjAAMFkwEwYHKoZIzj0C
            AQYIKoZIzj0DAQcDQgAE8UTs+LxOWq2SHKUJRkIN6u1sAW/zv2CH69sc+8i0jALB
            JlFmmm3AANH3RwqJf/oDnqCMxgRHyOhVym4tebS6A6NTMFEwHQYDVR0OBBYEFG2a
            X5JDtBAmO4jhqUXIvSLGKj/2MB8GA1UdIwQYMBaAFG2aX5JDtBAmO4jhqUXIvSLG
            Kj/2MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDRwAwRAIgBp4Yh3fTSniW
            2q1r+HB8PNTH1Z2tZOTxFArewOmeTKkCIGzy37vQXtIjXCpVHnbuzGi9bGY0X3BN
            Mvwj2L9Ag6wO
            -----END CERTIFICATE-----
            """;

    private static String problem(String pem) {
        return PemRequest.problemOfCertificate(pem.getBytes(StandardCharsets.US_ASCII));
    }

    /** A request without a subject is signed upstream; its certificate could not be stored here. */
    @Test
    void certificateWithoutASubject_isReadAsInGo() {
        assertThat(problem(WITHOUT_SUBJECT)).isEmpty();
    }

    @Test
    void otherBytes_areNoCertificate() {
        String half = WITHOUT_SUBJECT.replace("MIIBVTCB", "MIIBVTCC");
        assertThat(problem(half)).isEqualTo("x509: malformed certificate");
        assertThat(problem("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"))
                .isEqualTo("x509: malformed certificate");
    }
}
