/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTextTest {

    @Test
    void controlCharacters_areEscaped_andOthersAreKept() {
        assertThat(PrintableText.of("pods \"p\" is forbidden: \u00e9\t\ud83d\ude00"))
                .isEqualTo("pods \"p\" is forbidden: \u00e9\t\ud83d\ude00");
        assertThat(PrintableText.of("a\r\n2026 ERROR forged \u001b[31mred\u0000\u009b\u2028\u202e\u2066"))
                .isEqualTo("a\\r\\n2026 ERROR forged \\u001b[31mred\\u0000\\u009b\\u2028\\u202e\\u2066");
    }
}
