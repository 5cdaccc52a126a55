/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoTimesTest {

    /** The results of Go's {@code time.Parse} with the layout RFC 3339. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            2024-01-01T1:00:00Z             | 2024-01-01T01:00:00Z
            2024-01-01T01:00:00+01:60       | 2023-12-31T23:00:00Z
            2024-01-01T01:00:00,5Z          | 2024-01-01T01:00:00.500Z
            2024-01-01T01:00:00.1234567891Z | 2024-01-01T01:00:00.123456789Z
            2024-01-01T01:00:00+24:00       | 2023-12-31T01:00:00Z
            2024-01-01T24:00:00Z            |
            2024-01-01T01:00:00+01:61       |
            0000-12-31T23:59:59Z            |
            """)
    void timestamp(String text, @Nullable Instant expected) {
        assertThat(GoTimes.timestamp(text)).isEqualTo(expected);
    }
}
