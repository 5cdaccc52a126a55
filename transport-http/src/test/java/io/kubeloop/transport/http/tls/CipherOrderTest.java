/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;
import org.junit.jupiter.api.Test;

class CipherOrderTest {

    @Test
    void of_preferred_comeFirst_andNothingIsAddedOrLost() {
        ConnectionSpec spec = CipherOrder.of(
                ConnectionSpec.MODERN_TLS,
                List.of("TLS_CHACHA20_POLY1305_SHA256", "TLS_RSA_WITH_NULL_MD5", "TLS_AES_128_GCM_SHA256"));

        assertThat(spec.cipherSuites())
                .startsWith(CipherSuite.TLS_CHACHA20_POLY1305_SHA256, CipherSuite.TLS_AES_128_GCM_SHA256)
                .containsExactlyInAnyOrderElementsOf(ConnectionSpec.MODERN_TLS.cipherSuites());
        assertThat(spec.tlsVersions()).isEqualTo(ConnectionSpec.MODERN_TLS.tlsVersions());
    }

    @Test
    void of_specThatLeavesItToTheSocket_isLeftAlone() {
        ConnectionSpec open = new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS)
                .allEnabledCipherSuites()
                .build();

        assertThat(CipherOrder.of(open, List.of("TLS_AES_128_GCM_SHA256"))).isSameAs(open);
    }
}
