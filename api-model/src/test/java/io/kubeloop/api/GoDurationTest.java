package io.kubeloop.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
}
