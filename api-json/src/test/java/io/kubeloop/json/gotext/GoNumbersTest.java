/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.gotext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GoNumbersTest {

    /**
     * The bits of numbers, and their texts that a program in Go has printed: {@code %v}, JSON, and without an exponent.
     */
    static Stream<List<String>> numbers() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(GoNumbersTest.class.getResourceAsStream("/vectors/go-numbers.tsv"))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines().map(line -> List.of(line.split("\t", -1)));
        }
    }

    @ParameterizedTest
    @MethodSource("numbers")
    void textOfANumber_isThatOfGo(List<String> line) {
        double value = Double.longBitsToDouble(Long.parseUnsignedLong(line.get(0), 16));

        assertThat(List.of(GoNumbers.text(value), GoNumbers.json(value), GoNumbers.plain(value)))
                .isEqualTo(line.subList(1, 4));
    }

    @Test
    void numberWithoutDigits_hasATextButNoJson() {
        assertThat(GoNumbers.text(Double.NEGATIVE_INFINITY)).isEqualTo("-Inf");
        assertThat(GoNumbers.plain(Double.NaN)).isEqualTo("NaN");
        assertThatIllegalArgumentException().isThrownBy(() -> GoNumbers.json(Double.POSITIVE_INFINITY));
    }
}
