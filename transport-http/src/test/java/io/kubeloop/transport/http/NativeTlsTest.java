/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.TransportException;
import io.kubeloop.api.client.TransportException.Kind;
import java.security.Provider;
import org.conscrypt.Conscrypt;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Repeats all TLS tests with a native provider instead of the JVM's. */
@Isolated("looks at all threads, and reads standard error")
class NativeTlsTest {

    static OkHttpTransport.Builder builderOf(ClientConfig config) {
        Provider conscrypt =
                Conscrypt.newProviderBuilder().provideTrustManager(false).build();
        return OkHttpTransport.builder(config).tlsProvider(conscrypt);
    }

    @Test
    void create_withAProviderThatHasNoTls_isRefused() {
        Provider empty = new Provider("empty", "1", "nothing") {
            private static final long serialVersionUID = 1L;
        };

        assertThatThrownBy(() -> OkHttpTransport.builder(ClientConfig.of("https://h"))
                        .tlsProvider(empty)
                        .build())
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONFIGURATION))
                .hasMessageStartingWith("TLS cannot be set up: ");
    }

    @Nested
    class Trust extends OkHttpTlsTest {

        @Override
        OkHttpTransport.Builder builder(ClientConfig config) {
            return builderOf(config);
        }
    }

    @Nested
    class Rotation extends CertificateRotationTest {

        @Override
        OkHttpTransport.Builder builder(ClientConfig config) {
            return builderOf(config);
        }
    }

    @Nested
    class Messages extends ErrorMessagesTest {

        @Override
        OkHttpTransport.Builder builder(ClientConfig config) {
            return builderOf(config);
        }
    }
}
