/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1",
        "255.255.255.255, 255.255.255.255",
        "::, 0:0:0:0:0:0:0:0",
        "::1, 0:0:0:0:0:0:0:1",
        "1::, 1:0:0:0:0:0:0:0",
        "2001:db8::ff00:42, 2001:db8:0:0:0:0:ff00:42",
        "2001:DB8:0:0:1:0:0:1, 2001:db8:0:0:1:0:0:1",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "::ffff:10.0.0.1, 0:0:0:0:0:ffff:a00:1",
        "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304"
    })
    void parse_anySpelling_oneAddress(String text, String full) {
        assertThat(IpAddress.parse(text)).hasToString(full);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "01.2.3.4",
                "1.2.3.04",
                "1..2.3",
                "1.2.3.",
                "a.b.c.d",
                ":",
                ":::",
                "1:",
                ":1",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "12345::",
                "g::",
                "fe80::1%eth0",
                "::1.2.3",
                "1:2:3:4:5:6:7:1.2.3.4",
                "1.2.3.4::",
                "::1.2.3.4:5",
                "-1::",
                "\u0661.2.3.4",
                " ::1",
                "example.com"
            })
    void parse_noAddress_null(String text) {
        assertThat(IpAddress.parse(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 10.0.0.1",
        "::ffff:10.0.0.1, 10.0.0.1",
        "::, ::",
        "0:0:0:0:0:0:0:1, ::1",
        "1:0:0:0:0:0:0:0, 1::",
        "2001:DB8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::102:304, ::102:304"
    })
    void canonical_anySpelling_theOneOfRfc5952(String text, String canonical) {
        assertThat(IpAddress.parse(text).canonical()).isEqualTo(canonical);
        assertThat(IpAddress.parse(canonical)).isEqualTo(IpAddress.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "010.000.003.0, 10.0.3.0",
        "0000000010.0.0.1, 10.0.0.1",
        "fd00::00ab, fd00:0:0:0:0:0:0:ab",
        "00fd00::0, fd00:0:0:0:0:0:0:0",
        "::ffff:010.0.0.1, 0:0:0:0:0:ffff:a00:1",
        "::, 0:0:0:0:0:0:0:0"
    })
    void parseSloppy_leadingZeros_passedOver(String text, String full) {
        assertThat(IpAddress.parseSloppy(text)).hasToString(full);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "1.2.3", "0256.0.0.1", "0x10.0.0.1", "::00012345", "1:2:3:4:5:6:7", "example.com"})
    void parseSloppy_noAddress_null(String text) {
        assertThat(IpAddress.parseSloppy(text)).isNull();
    }

    @Test
    void compareTo_mixedKinds_ordersByBytesNotByText() {
        List<String> sorted = Stream.of("fd00::1", "10.0.0.10", "10.0.0.9", "200.0.0.1", "::1")
                .map(IpAddress::parse)
                .sorted()
                .map(IpAddress::toString)
                .toList();
        assertThat(sorted)
                .containsExactly("0:0:0:0:0:0:0:1", "10.0.0.9", "10.0.0.10", "200.0.0.1", "fd00:0:0:0:0:0:0:1");
    }

    @Test
    void equals_twoSpellings_equal() {
        assertThat(IpAddress.parse("::1"))
                .isEqualTo(IpAddress.parse("0::0:1"))
                .hasSameHashCodeAs(IpAddress.parse("0::0:1"));
    }

    @ParameterizedTest
    @CsvSource({
        "::1,              true",
        "::10.0.0.1,       true",
        "::fffe:10.0.0.1,  true",
        "::ffff:10.0.0.1,  false",
        "::ffff:a00:1,     false",
        "10.0.0.1,         false",
        "web,              false",
    })
    void isV6_ipV4InAnyNotation_isNot(String text, boolean expected) {
        assertThat(IpAddress.isV6(text)).isEqualTo(expected);
    }
}
