/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.command.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The files come from openssl: an authority, a certificate that it has issued, and one that has signed itself. */
class ServingAuthorityTest {

    private static String file(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(ServingAuthorityTest.class.getResourceAsStream("/tls/" + name + ".pem"))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void authorityOfAChain_isItsLastCertificate() throws IOException {
        assertThat(ServingAuthority.of(file("leaf") + file("ca"))).isEqualTo(file("ca"));
        assertThat(ServingAuthority.of(file("leaf") + file("self") + file("ca")))
                .isEqualTo(file("ca"));
    }

    @Test
    void certificateThatHasSignedItself_isItsOwnAuthority() throws IOException {
        assertThat(ServingAuthority.of(file("self"))).isEqualTo(file("self"));
        assertThat(ServingAuthority.of(file("ca"))).isEqualTo(file("ca"));
        assertThat(ServingAuthority.of("")).isEmpty();
    }

    @Test
    void certificateWithoutItsAuthority_isRejected() throws IOException {
        String leaf = file("leaf");
        assertThatThrownBy(() -> ServingAuthority.of(leaf))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "cannot write a kubeconfig: --tls-cert-file does not contain the certificate of CN=authority,"
                                + " which has issued that of CN=server; append it to the file");
    }
}
