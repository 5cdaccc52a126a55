/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {

    @Test
    void parse_whatFlagsWrite_isUnderstood() {
        assertThat(GoDuration.parse("15s")).isEqualTo(Duration.ofSeconds(15));
        assertThat(GoDuration.parse("12h")).isEqualTo(Duration.ofHours(12));
        assertThat(GoDuration.parse("1m30s")).isEqualTo(Duration.ofSeconds(90));
        assertThat(GoDuration.parse("1.5h")).isEqualTo(Duration.ofMinutes(90));
        assertThat(GoDuration.parse("250ms")).isEqualTo(Duration.ofMillis(250));
        assertThat(GoDuration.parse("3us")).isEqualTo(Duration.ofNanos(3000));
        assertThat(GoDuration.parse("1.s")).isEqualTo(Duration.ofSeconds(1));
        assertThat(GoDuration.parse("0")).isEqualTo(Duration.ZERO);
        assertThat(GoDuration.parse(".5s")).isEqualTo(Duration.ofMillis(500));
        assertThat(GoDuration.parse("+2\u00b5s")).isEqualTo(Duration.ofNanos(2000));
        assertThat(GoDuration.parse("2\u03bcs")).isEqualTo(Duration.ofNanos(2000));
        assertThat(GoDuration.parse("-1m30s")).isEqualTo(Duration.ofSeconds(-90));
        assertThat(GoDuration.parse("0.3ns")).isEqualTo(Duration.ZERO);
    }

    @Test
    void format_isWhatParseReads() {
        assertThat(GoDuration.format(Duration.ofSeconds(90))).isEqualTo("1m30s");
        assertThat(GoDuration.format(Duration.ofHours(12))).isEqualTo("12h");
        assertThat(GoDuration.format(Duration.ZERO)).isEqualTo("0s");
        assertThat(GoDuration.parse(GoDuration.format(Duration.ofMillis(1_250))))
                .isEqualTo(Duration.ofMillis(1_250));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "15", "s", "1d", "--1s", "1s ", "1 s", "s1", "9000000h"})
    void parse_anythingElse_isRefusedWithTheText(String text) {
        assertThatThrownBy(() -> GoDuration.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    /** The messages of Go 1.26. */
    @ParameterizedTest
    @CsvSource({
        "99999999999999999999, 'time: invalid duration \"99999999999999999999\"'",
        "99999999999999999999y, 'time: invalid duration \"99999999999999999999y\"'",
        "1\u00e9, 'time: unknown unit \"\\xc3\\xa9\" in duration \"1\\xc3\\xa9\"'",
        "1\"s, 'time: unknown unit \"\\\"s\" in duration \"1\\\"s\"'",
        "1.5, 'time: missing unit in duration \"1.5\"'",
        "5.s., 'time: invalid duration \"5.s.\"'",
        "3000000h, 'time: invalid duration \"3000000h\"'",
        "9223372036854775808ns, 'time: invalid duration \"9223372036854775808ns\"'",
        "-9223372036854775809ns, 'time: invalid duration \"-9223372036854775809ns\"'",
        "1h-1s, 'time: unknown unit \"h-\" in duration \"1h-1s\"'",
        "1_0s, 'time: unknown unit \"_\" in duration \"1_0s\"'",
        "'1s ', 'time: unknown unit \"s \" in duration \"1s \"'",
    })
    void problem_isInTheWordsOfGo(String text, String message) {
        assertThat(GoDuration.problem(text)).isEqualTo(message);
    }

    @Test
    void problem_ofALongText_isFoundInLinearTime() {
        assertThat(GoDuration.problem("1s".repeat(1_000_000))).isNull();
        assertThat(GoDuration.problem("0".repeat(2_000_000))).startsWith("time: missing unit");
        assertThat(GoDuration.problem("1".repeat(2_000_000))).startsWith("time: invalid duration");
        assertThat(GoDuration.parse("-9223372036854775808ns").toNanos()).isEqualTo(Long.MIN_VALUE);
    }
}
