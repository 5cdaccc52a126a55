/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterInfoSignaturesTest {

    private static final String CONTENT = "apiVersion: v1\nkind: Config\n";
    private static final BootstrapToken TOKEN = new BootstrapToken("aaaaaa", "0123456789abcdef");

    /** Recorded from kube-controller-manager 1.36.3. */
    private static final String SIGNATURE =
            "eyJhbGciOiJIUzI1NiIsImtpZCI6ImFhYWFhYSJ9..izXnHpTVwI5ymXSs_HpQOFsjrXZPgkTlyxLFftVNqd4";

    @Test
    void signed_token_addsItsSignature_asUpstream() {
        assertThat(ClusterInfoSignatures.signed(Map.of("kubeconfig", CONTENT, "other", "x"), List.of(TOKEN)))
                .containsOnly(
                        Map.entry("kubeconfig", CONTENT),
                        Map.entry("other", "x"),
                        Map.entry("jws-kubeconfig-aaaaaa", SIGNATURE));
    }

    @Test
    void signed_signatureWithoutItsToken_goes() {
        assertThat(ClusterInfoSignatures.signed(
                        Map.of("kubeconfig", CONTENT, "jws-kubeconfig-bbbbbb", "x", "jws-kubeconfig-aaaaaa", "old"),
                        List.of(TOKEN)))
                .containsOnly(Map.entry("kubeconfig", CONTENT), Map.entry("jws-kubeconfig-aaaaaa", SIGNATURE));
    }

    @Test
    void signed_nothingToSign_staysAsItIs() {
        Map<String, String> data = Map.of("jws-kubeconfig-aaaaaa", "x");
        assertThat(ClusterInfoSignatures.signed(data, List.of(TOKEN))).isEqualTo(data);
    }

    @Test
    void signed_twoTokensOfAnId_firstCounts() {
        assertThat(ClusterInfoSignatures.signed(
                        Map.of("kubeconfig", CONTENT), List.of(TOKEN, new BootstrapToken("aaaaaa", "another"))))
                .containsEntry("jws-kubeconfig-aaaaaa", SIGNATURE);
    }

    @Test
    void token_toString_hidesTheSecret() {
        assertThat(TOKEN).hasToString("BootstrapToken[aaaaaa]");
    }
}
