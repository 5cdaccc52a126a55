/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.transport.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.json.encoding.Pem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys and certificates from openssl: each key must belong to the certificate beside it. */
class PrivateKeysTest {

    private static String resource(String name) throws IOException {
        try (InputStream in = PrivateKeysTest.class.getResourceAsStream("/keys/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rsa.crt, rsa-pkcs1.key, SHA256withRSA",
        "rsa.crt, rsa-pkcs8.key, SHA256withRSA",
        "ec256.crt, ec256-sec1.key, SHA256withECDSA",
        "ec256.crt, ec256-sec1-parameters.key, SHA256withECDSA",
        "ec256.crt, ec256-pkcs8.key, SHA256withECDSA",
        "ec384.crt, ec384-sec1.key, SHA384withECDSA",
        "ec384.crt, ec384-pkcs8.key, SHA384withECDSA",
        "ed25519.crt, ed25519-pkcs8.key, Ed25519",
    })
    void parse_keyOfOpenssl_belongsToItsCertificate(String certificate, String file, String algorithm)
            throws Exception {
        PublicKey publicKey = Certificates.parse(resource(certificate)).get(0).getPublicKey();
        PrivateKey key = PrivateKeys.parse(resource(file));
        byte[] text = "text".getBytes(StandardCharsets.US_ASCII);

        Signature signer = Signature.getInstance(algorithm);
        signer.initSign(key);
        signer.update(text);
        byte[] signature = signer.sign();

        Signature verifier = Signature.getInstance(algorithm);
        verifier.initVerify(publicKey);
        verifier.update(text);
        assertThat(verifier.verify(signature)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "rsa-encrypted.key, encrypted",
        "rsa-encrypted-pkcs1.key, encrypted",
        "rsa.crt, only [CERTIFICATE]",
    })
    void parse_somethingElse_saysWhatItFound(String file, String message) {
        assertThatThrownBy(() -> PrivateKeys.parse(resource(file))).hasMessageContaining(message);
    }

    @Test
    void parse_damagedText_isRefusedWithoutQuotingIt() {
        assertThatThrownBy(() -> PrivateKeys.parse("")).hasMessage("no PEM private key");
        assertThatThrownBy(() -> PrivateKeys.parse("-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n"))
                .hasMessage("PEM block PRIVATE KEY has no end");
        assertThatThrownBy(() -> PrivateKeys.parse("-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----"))
                .hasMessage("not valid DER");
        assertThatThrownBy(
                        () -> PrivateKeys.parse("-----BEGIN EC PRIVATE KEY-----\nMIGH\n-----END EC PRIVATE KEY-----"))
                .hasMessage("not valid DER");
    }

    @Test
    void parse_keyCutAtAnyByte_isAlwaysAnArgumentError() throws Exception {
        for (Pem block : Pem.blocks(resource("ec256-sec1.key"))) {
            for (int length = 0; length < block.content().length; length++) {
                String cut =
                        java.util.Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(block.content(), length));
                assertThatThrownBy(() -> PrivateKeys.parse(
                                "-----BEGIN EC PRIVATE KEY-----\n" + cut + "\n-----END EC PRIVATE KEY-----"))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }
}
