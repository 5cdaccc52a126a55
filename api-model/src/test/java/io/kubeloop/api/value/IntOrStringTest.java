/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kubeloop.testing.Vectors;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class IntOrStringTest {

    @TestFactory
    Stream<DynamicTest> vectors() {
        // What is no number or text in JSON never becomes a value of this type: the codec refuses it.
        return Vectors.load(IntOrStringTest.class, "int-or-string").stream()
                .filter(c -> !c.expected().containsKey("error"))
                .map(c -> DynamicTest.dynamicTest(c.name(), () -> check(c)));
    }

    @SuppressWarnings("unchecked")
    private static void check(Vectors.Case vector) {
        if (vector.input().get("parse") instanceof String text && wrapsAroundInV120(text)) {
            assertThat(IntOrString.parse(text)).isEqualTo(IntOrString.of(text));
            return;
        }
        IntOrString value = vector.input().containsKey("parse")
                ? IntOrString.parse((String) vector.input().get("parse"))
                : fromJson(vector.input().get("json"));
        Map<String, Object> expected = vector.expected();
        assertThat(value.isText()).isEqualTo(expected.get("type").equals("string"));
        assertThat(value.number()).isEqualTo(number(expected.get("intVal")));
        assertThat(value.text()).isEqualTo(value.isText() ? expected.get("strVal") : null);
        assertThat(value).hasToString((String) expected.get("string"));
        assertThat(value.intValue()).isEqualTo(number(expected.get("intValue")));
        if (vector.input().containsKey("total")) {
            Map<String, Object> scaled = (Map<String, Object>) expected.get("scaled");
            int total = number(vector.input().get("total"));
            boolean roundUp = (boolean) vector.input().get("roundUp");
            if (scaled.get("error") == null) {
                assertThat(value.scaled(total, roundUp)).isEqualTo(number(scaled.get("value")));
            } else {
                assertThatIllegalArgumentException().isThrownBy(() -> value.scaled(total, roundUp));
            }
        }
    }

    /** Later releases keep a number of more than 32 bits as text. */
    private static boolean wrapsAroundInV120(String text) {
        return text.matches("[+-]?[0-9]+") && new BigInteger(text).bitLength() >= Integer.SIZE;
    }

    private static IntOrString fromJson(Object json) {
        if (json instanceof String text) {
            return IntOrString.of(text);
        }
        return json == null ? IntOrString.ZERO : IntOrString.of(number(json));
    }

    private static int number(Object value) {
        return ((BigDecimal) value).intValueExact();
    }

    @Test
    void parse_numberBeyond32Bits_staysText() {
        assertThat(IntOrString.parse("2147483648")).isEqualTo(IntOrString.of("2147483648"));
        assertThat(IntOrString.parse("2147483648").intValue()).isZero();
    }

    @Test
    void parse_digitsOfAnotherScript_stayText() {
        assertThat(IntOrString.parse("\u0665")).isEqualTo(IntOrString.of("\u0665"));
    }

    @Test
    void construct_numberAndText_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new IntOrString(1, "x"));
    }
}
