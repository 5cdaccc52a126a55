/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.Time;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {

    private static long parse(String text) {
        return TimeText.epochSecond(text.getBytes(StandardCharsets.US_ASCII), 0, text.length());
    }

    @Test
    void epochSecond_anySecondOfTenThousandYears_isTheLibrarys() {
        long first = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
        long last = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            long second = first + (long) (random.nextDouble() * (last - first));
            assertThat(parse(Instant.ofEpochSecond(second).toString())).isEqualTo(second);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"2000-02-29T00:00:00Z", "2026-12-31T23:59:59Z", "1900-02-28T12:00:00Z", "0000-02-29T00:00:00Z"})
    void epochSecond_edges_areTheLibrarys(String text) {
        assertThat(TimeText.time(parse(text))).isEqualTo(Time.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-01-31T08:15:00",
                "2026-01-31T08:15:00z",
                "2026-01-31T08:15:00.5Z",
                "2026-01-31 08:15:00Z",
                "2026-13-31T08:15:00Z",
                "2026-00-31T08:15:00Z",
                "2026-02-29T08:15:00Z",
                "2026-04-31T08:15:00Z",
                "2026-01-00T08:15:00Z",
                "2026-01-31T24:00:00Z",
                "2026-01-31T08:60:00Z",
                "2026-01-31T08:15:60Z",
                "2026-01-31T08:15:00+00:00",
                "x026-01-31T08:15:00Z",
            })
    void epochSecond_otherForms_areLeftToOthers(String text) {
        assertThat(parse(text)).isEqualTo(TimeText.OTHER);
    }
}
