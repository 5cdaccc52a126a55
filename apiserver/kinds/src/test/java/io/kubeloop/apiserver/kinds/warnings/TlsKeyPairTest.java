/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.warnings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The warnings of kube-apiserver 1.36.3 about pairs of files. c1, k1 and k3 have keys of the curve P-256, c2, k2 and k4
 * of RSA, c5 and k5 of Ed25519; k1ec and k2rsa are k1 and k2 in their older forms; badc and badk contain an empty
 * sequence.
 */
class TlsKeyPairTest {

    private static byte[] files(String names) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (String name : names == null ? new String[0] : names.split("\\+", -1)) {
            try (InputStream in =
                    Objects.requireNonNull(TlsKeyPairTest.class.getResourceAsStream("/tls/" + name + ".pem"))) {
                all.write(in.readAllBytes());
            }
        }
        return all.toByteArray();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            c1      | k1    |
            c1      | k1ec  |
            c2      | k2    |
            c2      | k2rsa |
            c5      | k5    |
            c1+badc | k1    |
            c1+k1   | c1+k1 |
                    |       | tls: failed to find any PEM data in certificate input
                    | k1    | tls: failed to find any PEM data in certificate input
            c1      |       | tls: failed to find any PEM data in key input
            k1      | c1    | tls: failed to find certificate PEM data in certificate input, but did find a private \
            key; PEM inputs may have been switched
            k1+k3   | c1    | tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM \
            blocks of the following types: [PRIVATE KEY PRIVATE KEY]
            c1      | c1    | tls: found a certificate rather than a key in the PEM for the private key
            c1      | c1+c1 | tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after \
            skipping PEM blocks of the following types: [CERTIFICATE CERTIFICATE]
            c1      | k3    | tls: private key does not match public key
            c2      | k4    | tls: private key does not match public key
            c1      | k2    | tls: private key type does not match public key type
            c5      | k1    | tls: private key type does not match public key type
            c1      | k5    | tls: private key type does not match public key type
            badc    | k1    | x509: malformed tbs certificate
            c1      | badk  | tls: failed to parse private key
            """)
    void pair_isCheckedAsByGo(String certificates, String keys, String problem) throws IOException {
        assertThat(TlsKeyPair.problem(files(certificates), files(keys))).isEqualTo(problem);
    }
}
