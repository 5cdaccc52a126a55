/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanDurationTest {

    @ParameterizedTest
    @CsvSource({
        "-PT2S,<invalid>",
        "-PT1S,0s",
        "PT0S,0s",
        "PT119.9S,119s",
        "PT2M,2m",
        "PT9M59S,9m59s",
        "PT10M30S,10m",
        "PT2H59M,179m",
        "PT3H,3h",
        "PT7H59M,7h59m",
        "PT8H30M,8h",
        "PT47H,47h",
        "P2D,2d",
        "P7DT23H,7d23h",
        "P8DT5H,8d",
        "P729D,729d",
        "P730D,2y",
        "P731D,2y1d",
        "P2920D,8y",
        "P4000D,10y"
    })
    void format_anyDuration_isWhatKubectlShows(Duration duration, String text) {
        assertThat(HumanDuration.format(duration)).isEqualTo(text);
    }

    @Test
    void since_noTimeStamp_isUnknown() {
        Instant now = Instant.parse("2026-01-01T00:00:10Z");
        assertThat(HumanDuration.since("", now)).isEqualTo("<unknown>");
        assertThat(HumanDuration.since("yesterday", now)).isEqualTo("<unknown>");
        assertThat(HumanDuration.since("2026-01-01T00:00:00.000000Z", now)).isEqualTo("10s");
    }
}
