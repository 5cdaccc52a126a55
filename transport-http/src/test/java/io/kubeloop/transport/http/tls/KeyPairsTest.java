/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class KeyPairsTest {

    private static void check(KeyPair made) {
        String pem = "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(made.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";

        KeyPair read = KeyPairs.parse(pem);

        assertThat(read.getPublic()).isEqualTo(made.getPublic());
        assertThat(read.getPrivate()).isEqualTo(made.getPrivate());
    }

    @Test
    void parse_privateKey_derivesThePublicKey() throws Exception {
        KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
        rsa.initialize(2048);
        check(rsa.generateKeyPair());
        for (String curve : new String[] {"secp256r1", "secp384r1", "secp521r1"}) {
            KeyPairGenerator elliptic = KeyPairGenerator.getInstance("EC");
            elliptic.initialize(new ECGenParameterSpec(curve));
            check(elliptic.generateKeyPair());
        }
    }
}
