/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.nodeipam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.value.CidrRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrPoolTest {

    private static CidrPool pool(String cluster, int prefix) {
        return new CidrPool(CidrRange.parse(cluster), prefix);
    }

    private static String taken(CidrPool pool) {
        return String.valueOf(pool.take());
    }

    @Test
    void take_goesOnWhereItStopped_andBeginsAgainAtTheEnd() {
        CidrPool pool = pool("10.244.0.0/22", 24);
        assertThat(taken(pool)).isEqualTo("10.244.0.0/24");
        pool.release(CidrRange.parse("10.244.0.0/24"));

        assertThat(taken(pool)).isEqualTo("10.244.1.0/24");
        assertThat(taken(pool)).isEqualTo("10.244.2.0/24");
        assertThat(taken(pool)).isEqualTo("10.244.3.0/24");
        assertThat(taken(pool)).isEqualTo("10.244.0.0/24");
        assertThat(pool.take()).isNull();
    }

    @Test
    void occupy_marksEveryPartThatTheRangeTouches() {
        CidrPool pool = pool("10.244.0.0/22", 24);
        pool.occupy(CidrRange.parse("10.244.0.128/25"));
        pool.occupy(CidrRange.parse("10.244.2.0/23"));

        assertThat(taken(pool)).isEqualTo("10.244.1.0/24");
        assertThat(pool.take()).isNull();
    }

    @Test
    void occupy_outsideOfTheCluster_isRefused() {
        assertThatThrownBy(() -> pool("10.244.0.0/22", 24).occupy(CidrRange.parse("10.245.0.0/24")))
                .hasMessageContaining("10.245.0.0/24", "10.244.0.0/22");
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.0/24, 16", "fd00::/32, 64"})
    void pool_withPartsThatDoNotFit_isRefused(String cluster, int prefix) {
        assertThatThrownBy(() -> pool(cluster, prefix)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void take_ofIpv6_countsBehindThePrefix() {
        CidrPool pool = pool("fd00:10:244::/48", 64);
        pool.take();

        assertThat(taken(pool)).isEqualTo("fd00:10:244:1::/64");
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3/16, 10.1.0.0/16",
        "0.0.0.0/0, 0.0.0.0/0",
        "2001:DB8:0:1::1/64, 2001:db8:0:1::/64",
        "::/0, ::/0"
    })
    void parse_clearsTheBitsBehindThePrefix(String text, String canonical) {
        assertThat(CidrRange.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0", "10.0.0.0/33", "/8", "example.com/8", "10.0.0.0/-1", "10.0.0.0/x"})
    void parse_ofSomethingElse_isRefused(String text) {
        assertThatThrownBy(() -> CidrRange.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
