/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PemTest {

    private static final String BLOCK = "-----BEGIN A-----\nAAEC\n-----END A-----\n";

    @Test
    void write_anyContent_isReadBack() {
        Random random = new Random(7);
        for (int length = 0; length < 200; length++) {
            byte[] content = new byte[length];
            random.nextBytes(content);

            List<Pem> read = Pem.requireBlocks("a text\n" + Pem.write("SOME TYPE", content) + "another\n");

            assertThat(read).hasSize(1);
            assertThat(read.get(0).type()).isEqualTo("SOME TYPE");
            assertThat(read.get(0).content()).isEqualTo(content);
            assertThat(read.get(0).isEncrypted()).isFalse();
        }
    }

    @Test
    void blocks_headers_areKept() {
        Pem block = Pem.blocks(BLOCK.replace("AAEC", "Proc-Type: 4,ENCRYPTED\r\nDEK-Info: x\r\n\r\n AA\tEC\r"))
                .get(0);

        assertThat(block.headers()).containsExactly("Proc-Type: 4,ENCRYPTED", "DEK-Info: x");
        assertThat(block.isEncrypted()).isTrue();
        assertThat(block.content()).containsExactly(0, 1, 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-----BEGIN A-----\\nAAEC\\n | PEM block A has no end",
                "-----BEGIN B-----\\nAAEC\\n{} | PEM block B has no end",
                "-----BEGIN B-----\\nAAEC\\n-----END C-----\\n | PEM block B has no end",
                "-----BEGIN B-----AAEC-----END B-----\\n | PEM block  has no end",
                "-----BEGIN B-----\\nA!EC\\n-----END B-----\\n | PEM block B is not base64",
                "-----BEGIN B-----\\nAAECA\\n-----END B-----\\n | PEM block B is not base64",
            })
    void damagedBlock_isSkippedOrReported(String text, String message) {
        String document = text.replace("\\n", "\n").replace("{}", "") + BLOCK;

        assertThat(Pem.blocks(document)).extracting(Pem::type).containsExactly("A");
        assertThatThrownBy(() -> Pem.requireBlocks(document))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-----BEGIN A-----\n", "-----BEGIN A", "-----END A-----", "-----BEGIN -----END ", "a:\n", "-"})
    void blocks_repeatedPart_takesLinearTime(String part) {
        String document = part.repeat(4_000_000 / part.length());

        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> assertThat(Pem.blocks(document)).isEmpty());
    }
}
