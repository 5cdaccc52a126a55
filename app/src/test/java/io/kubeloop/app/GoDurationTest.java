package io.kubeloop.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

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
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "15", "s", "1d", "-1s", "1s ", "1 s", "s1"})
    void parse_anythingElse_isRefusedWithTheText(String text) {
        assertThatThrownBy(() -> GoDuration.parse(text))
                .isInstanceOf(CommandLine.TypeConversionException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
