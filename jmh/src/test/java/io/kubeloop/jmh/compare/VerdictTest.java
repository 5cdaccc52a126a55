/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.jmh.compare;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {

    @ParameterizedTest
    @CsvSource({
        "0.10, 0.02, 0.20, WORSE",
        "-0.10, -0.20, -0.02, BETTER",
        "0, -0.04, 0.04, SAME",
        "0.03, 0.01, 0.05, SAME",
        // Surely more, but perhaps more than is tolerated, perhaps not.
        "0.04, 0.01, 0.07, UNCLEAR",
        "0.10, -0.01, 0.20, UNCLEAR",
        "0, -Infinity, Infinity, UNCLEAR",
    })
    void says(double estimate, double low, double high, Verdict verdict) {
        assertThat(Verdict.of(new Shift(estimate, low, high), 0.05)).isEqualTo(verdict);
    }
}
