/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectMetaBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretTest {

    private final Secret secret =
            Secret.of(ObjectMeta.named("shop", "db"), "Opaque", Map.of("password", "aHVudGVyMg=="));

    @Test
    void bytes_ofAKey_areDecoded() {
        assertThat(secret.bytes("password")).asString(StandardCharsets.UTF_8).isEqualTo("hunter2");
        assertThat(secret.bytes("absent")).isNull();
        assertThat(secret.withBytes("blob", new byte[] {0, 1}).bytes("blob")).containsExactly(0, 1);
        assertThat(secret.withBytes("password", new byte[0]).data()).containsExactly(Map.entry("password", ""));
    }

    @Test
    void bytes_thatAreNotBase64_areRefusedWithoutTheValue() {
        Secret broken = Secret.of(ObjectMeta.named("shop", "db"), "Opaque", Map.of("password", "hunter2!"));
        assertThatIllegalStateException()
                .isThrownBy(() -> broken.bytes("password"))
                .withMessage("Cannot decode data[\"password\"] of secret shop/db: it is not Base64");
    }

    @Test
    void toString_showsNoValues() {
        ObjectMeta metadata = ObjectMetaBuilder.builder(ObjectMeta.named("shop", "db"))
                .annotations(Map.of("kubectl.kubernetes.io/last-applied-configuration", "aHVudGVyMg=="))
                .build();
        assertThat(SecretBuilder.builder(secret)
                        .metadata(metadata)
                        .stringData(Map.of("token", "hunter2"))
                        .build())
                .hasToString("Secret[shop/db, type=Opaque, data=[password], stringData=[token]]");
    }
}
