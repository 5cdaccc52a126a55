/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {

    @ParameterizedTest
    @CsvSource({
        "'2021-02-03T04:05:06,5Z',       2021-02-03T04:05:06Z, 2021-02-03T04:05:06.500000Z",
        "2021-02-03T04:05:06.1234567890123Z, 2021-02-03T04:05:06Z, 2021-02-03T04:05:06.123456Z",
        "2021-02-03T4:05:06Z,            2021-02-03T04:05:06Z, 2021-02-03T04:05:06.000000Z",
        "2021-02-03T04:05:06+18:30,      2021-02-02T09:35:06Z, 2021-02-02T09:35:06.000000Z",
        "2021-02-03T04:05:06-24:00,      2021-02-04T04:05:06Z, 2021-02-04T04:05:06.000000Z",
        "9999-12-31T23:59:59+00:01,      9999-12-31T23:58:59Z, 9999-12-31T23:58:59.000000Z",
        "2021-02-03T04:05:06Z,           2021-02-03T04:05:06Z, 2021-02-03T04:05:06.000000Z",
        "2021-02-03T04:05:06.5Z,         2021-02-03T04:05:06Z, 2021-02-03T04:05:06.500000Z",
        "2021-02-03T04:05:06.123456789Z, 2021-02-03T04:05:06Z, 2021-02-03T04:05:06.123456Z",
        "2021-02-03T04:05:06+02:00,      2021-02-03T02:05:06Z, 2021-02-03T02:05:06.000000Z",
        "2021-12-31T23:30:00.25-01:30,   2022-01-01T01:00:00Z, 2022-01-01T01:00:00.250000Z"
    })
    void parse_anyOffsetAndFraction_writtenInUtcWithFixedDigits(String text, String seconds, String micros) {
        assertThat(Time.parse(text)).hasToString(seconds);
        assertThat(MicroTime.parse(text)).hasToString(micros).isEqualTo(MicroTime.parse(micros));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "2021-02-03",
                "2021-02-03T04:05:06",
                "2021-02-30T00:00:00Z",
                "5",
                "2021-02-03t04:05:06z",
                "2021-02-03T04:05Z",
                "2021-02-03T04:05:06.Z",
                "2021-02-03T04:05:06+02",
                "2021-02-03T04:05:06+25:00",
                "2021-02-03T04:05:06+01:61",
                "2021-02-03T24:00:00Z",
                "2021-02-03T23:59:60Z",
                "9999-12-31T23:59:59-01:00",
                "0000-01-01T00:00:00+01:00"
            })
    void parse_noTime_refused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Time.parse(text)).withMessageContaining(text);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MicroTime.parse(text))
                .withMessageContaining(text);
    }
}
