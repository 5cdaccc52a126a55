/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class QuantityTest {

    @TestFactory
    Stream<DynamicTest> vectors() {
        return Vectors.tests(QuantityTest.class, "quantity", QuantityTest::check);
    }

    @SuppressWarnings("unchecked")
    private static void check(Vectors.Case vector) {
        String text = (String) vector.input().get("value");
        Map<String, Object> expected = vector.expected();
        if (expected.containsKey("error")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Quantity.parse(text))
                    .withMessageContaining("\"" + text + "\"");
            return;
        }
        Quantity quantity = Quantity.parse(text);
        assertThat(quantity).hasToString((String) expected.get("string"));
        assertThat("\"" + quantity + "\"").isEqualTo(expected.get("json"));
        assertThat(quantity.canonical()).isEqualTo(expected.get("canonical"));
        assertThat(quantity.format()).hasToString((String) expected.get("format"));
        assertThat(quantity.amount()).isEqualByComparingTo(new BigDecimal((String) expected.get("decimal")));
        assertThat(quantity.signum()).isEqualTo(number(expected.get("sign")));
        assertThat(quantity.signum() == 0).isEqualTo(expected.get("isZero"));
        if (expected.get("value") != null) {
            assertThat(quantity.value()).isEqualTo(number(expected.get("value")));
        }
        if (expected.get("milliValue") != null) {
            assertThat(quantity.milliValue()).isEqualTo(number(expected.get("milliValue")));
        }
        for (Map<String, Object> pair :
                (List<Map<String, Object>>) expected.getOrDefault("compare", List.<Map<String, Object>>of())) {
            Quantity other = Quantity.parse((String) pair.get("with"));
            assertThat(quantity.compareTo(other)).isEqualTo((int) number(pair.get("cmp")));
            assertThat(quantity.equals(other)).isEqualTo(pair.get("equal"));
        }
        if (expected.containsKey("sum")) {
            assertThat(quantity.plus(Quantity.parse((String) vector.input().get("add")))
                            .canonical())
                    .isEqualTo(expected.get("sum"));
        }
        if (expected.containsKey("difference")) {
            assertThat(quantity.minus(Quantity.parse((String) vector.input().get("sub")))
                            .canonical())
                    .isEqualTo(expected.get("difference"));
        }
    }

    private static long number(Object value) {
        return ((BigDecimal) value).longValueExact();
    }

    @Test
    void equals_sameAmountInOtherUnits_equalWithEqualHash() {
        assertThat(Quantity.parse("1")).isEqualTo(Quantity.parse("1000m")).hasSameHashCodeAs(Quantity.parse("1000m"));
        assertThat(Quantity.parse("0")).hasSameHashCodeAs(Quantity.parse("0.000"));
        assertThat(Quantity.parse("1Ki")).isNotEqualTo(Quantity.parse("1k"));
    }

    @Test
    void canonical_beyondTheLargestSuffix_keepsTheValue() {
        assertThat(Quantity.parse("1000E").canonical()).isEqualTo("1e21");
        assertThat(Quantity.parse("1e21")).isEqualTo(Quantity.parse("1000E"));
    }

    @Test
    void parse_absurdExponent_refusedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Quantity.parse("1e99999999999999999999"))
                .withMessageContaining("exponent");
    }

    @Test
    void parse_suffixAlone_zeroUnlessFarFromOne() {
        assertThat(Quantity.parse("Ti")).isEqualTo(Quantity.ZERO);
        assertThat(Quantity.parse("-.Ti")).isEqualTo(Quantity.ZERO);
        assertThat(Quantity.parse("e-9")).isEqualTo(Quantity.ZERO);
        assertThat(Quantity.parse("0Pi")).isEqualTo(Quantity.ZERO);
        for (String text : List.of("Pi", ".Ei", "-Ei", "e-10")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Quantity.parse(text))
                    .withMessageContaining("no digits");
        }
    }

    @Test
    void value_outOfRange_staysAtTheLimit() {
        assertThat(Quantity.parse("10E").value()).isEqualTo(Long.MAX_VALUE);
        assertThat(Quantity.parse("-10E").milliValue()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void of_finerThanNano_roundedAwayFromZero() {
        assertThat(Quantity.of(new BigDecimal("0.0000000001"), Quantity.Format.DECIMAL_SI))
                .hasToString("1n");
        assertThat(Quantity.of(2048)).hasToString("2048");
    }
}
