/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.serviceaccount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.json.tree.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class LegacyTokenSignerTest {

    private static KeyPair rsa() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    private static KeyPair elliptic(String curve) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(curve));
        return generator.generateKeyPair();
    }

    private static JsonObject decoded(String part) {
        return JsonObject.parse(Base64.getUrlDecoder().decode(part));
    }

    private static void check(KeyPair keys, String name, String algorithm) throws Exception {
        String[] parts = new LegacyTokenSigner(keys)
                .sign("shop", "token-1", "robot", "uid-1")
                .split("\\.", -1);

        assertThat(decoded(parts[0]).string("alg")).isEqualTo(name);
        assertThat(decoded(parts[0]).string("kid")).isEqualTo(LegacyTokenSigner.keyId(keys.getPublic()));
        JsonObject claims = decoded(parts[1]);
        assertThat(claims.string("iss")).isEqualTo("kubernetes/serviceaccount");
        assertThat(claims.string("sub")).isEqualTo("system:serviceaccount:shop:robot");
        assertThat(claims.string("kubernetes.io/serviceaccount/secret.name")).isEqualTo("token-1");
        assertThat(claims.string("kubernetes.io/serviceaccount/service-account.uid"))
                .isEqualTo("uid-1");
        assertThat(claims.has("exp")).isFalse();
        Signature signature = Signature.getInstance(algorithm);
        signature.initVerify(keys.getPublic());
        signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
        assertThat(signature.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
    }

    @Test
    void sign_eachKindOfKey_makesATokenThatThePublicKeyVerifies() throws Exception {
        check(rsa(), "RS256", "SHA256withRSA");
        check(elliptic("secp256r1"), "ES256", "SHA256withECDSAinP1363Format");
        check(elliptic("secp384r1"), "ES384", "SHA384withECDSAinP1363Format");
        check(elliptic("secp521r1"), "ES512", "SHA512withECDSAinP1363Format");
    }

    @Test
    void signer_keyOfAnotherKind_isRejected() throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();

        assertThatThrownBy(() -> new LegacyTokenSigner(keys))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("RSA or ECDSA");
    }
}
