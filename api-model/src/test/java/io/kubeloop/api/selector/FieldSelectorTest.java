/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.testing.Vectors;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class FieldSelectorTest {

    @TestFactory
    Stream<DynamicTest> vectors() {
        return Vectors.tests(FieldSelectorTest.class, "field-selector", FieldSelectorTest::check);
    }

    @SuppressWarnings("unchecked")
    private static void check(Vectors.Case vector) {
        String text = (String) vector.input().get("selector");
        Map<String, Object> expected = vector.expected();
        if (expected.containsKey("error")) {
            assertThatExceptionOfType(InvalidSelectorException.class)
                    .isThrownBy(() -> FieldSelector.parse(text))
                    .withMessageStartingWith("invalid ");
            return;
        }
        FieldSelector selector = FieldSelector.parse(text);
        assertThat(selector).hasToString((String) expected.get("string"));
        // Terms are sorted by what was typed, "==" before "=b", so only their order may change.
        assertThat(FieldSelector.parse(selector.toString()).requirements())
                .containsExactlyInAnyOrderElementsOf(selector.requirements());
        assertThat(selector.isEmpty()).isEqualTo(expected.get("empty"));
        assertThat(selector.requirements().stream()
                        .map(r -> Map.of("field", r.field(), "operator", r.negated() ? "!=" : "=", "value", r.value()))
                        .toList())
                .isEqualTo(expected.get("requirements"));
        List<Map<String, String>> fieldSets =
                (List<Map<String, String>>) vector.input().get("fieldSets");
        assertThat(fieldSets.stream()
                        .map(fields -> selector.matches(fields::get))
                        .toList())
                .isEqualTo(expected.get("matches"));
        for (Map<String, Object> exact : (List<Map<String, Object>>) expected.get("exactMatch")) {
            String found = selector.exactMatch((String) exact.get("field"));
            assertThat(found).isEqualTo((boolean) exact.get("found") ? exact.get("value") : null);
        }
    }

    @Test
    void parse_doubledEqualsSign_sortedAsTyped() {
        assertThat(FieldSelector.parse("a=b,a==c")).hasToString("a=c,a=b");
    }

    @Test
    void ofName_specialCharacters_escapedInText() {
        assertThat(FieldSelector.ofName("a,b")).hasToString("metadata.name=a\\,b");
        assertThat(FieldSelector.parse("metadata.name=a\\,b")).isEqualTo(FieldSelector.ofName("a,b"));
    }
}
