/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterIpAllocatorTest {

    @Test
    void smallRange_isGivenOutToTheLast_andAgain() {
        ClusterIpAllocator four = allocator("10.0.0.8/29");
        for (int i = 9; i < 15; i++) {
            assertThat(four.allocate()).isEqualTo("10.0.0." + i);
        }
        assertThat(four.allocate()).isEmpty();
        four.release("10.0.0.11");
        assertThat(four.allocate()).isEqualTo("10.0.0.11");

        ClusterIpAllocator six = allocator("fd00::f8/125");
        assertThat(six.take("fd00::ff")).isEmpty();
        assertThat(six.allocate()).isEqualTo("fd00::f9");
    }

    @Test
    void lowestAddresses_areGivenOutLast() {
        ClusterIpAllocator pool = allocator("10.0.0.0/24");
        assertThat(pool.allocate()).isEqualTo("10.0.0.16");
        for (int i = 17; i < 255; i++) {
            pool.allocate();
        }
        assertThat(pool.allocate()).isEqualTo("10.0.0.1");
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0/0, 0.0.0.16, 0.0.0.0/0",
        "10.96.3.4/16, 10.96.0.16, 10.96.0.0/16",
        "255.255.255.0/24, 255.255.255.16, 255.255.255.0/24",
        "ffff::/64, ffff::10, ffff::/64",
        "FD00:0::1/112, fd00::10, fd00::/112"
    })
    void range_ofAnySize_begins(String range, String first, String shown) {
        assertThat(allocator(range).allocate()).isEqualTo(first);
        assertThat(ServiceRange.parse(range)).hasToString(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0, is not a range such as",
        "'', is not a range such as",
        "10.0.0/8, is not a range such as",
        "10.0.0.0/33, is not a range such as",
        "10.0.0.0/-1, is not a range such as",
        "10.0.0.0/9999999999, is not a range such as",
        "' 10.0.0.0/8', is not a range such as",
        "::ffff:10.0.0.0/112, is not a range such as",
        "10.0.0.0/30, 10.0.0.0/30 is too small: /29 is the smallest",
        "fd00::/126, fd00::/126 is too small: /125 is the smallest",
        "fd00::/63, fd00::/63 is too large: /64 is the largest"
    })
    void range_thatIsNone_isRefused(String range, String problem) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceNetwork.of(List.of(range)))
                .withMessageContaining(problem);
    }

    @Test
    void network_hasOneRangeOfAFamily() {
        assertThat(ServiceNetwork.of(List.of("fd00::/112", "10.0.0.0/8")).ranges())
                .extracting(ServiceRange::family)
                .containsExactly("IPv6", "IPv4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceNetwork.of(List.of("10.0.0.0/8", "11.0.0.0/8")))
                .withMessage("10.0.0.0/8 and 11.0.0.0/8 must be of different families, but are both IPv4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServiceNetwork.of(List.of("10.0.0.0/8", "fd00::/112", "fd01::/112")))
                .withMessage("one range or two ranges of different families are required, got 3");
        assertThatIllegalArgumentException().isThrownBy(() -> ServiceNetwork.of(List.of()));
    }

    private static ClusterIpAllocator allocator(String range) {
        return new ClusterIpAllocator(ServiceRange.parse(range));
    }
}
