/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.testing.Vectors;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@SuppressWarnings("unchecked")
class LabelSelectorsTest {

    @TestFactory
    Stream<DynamicTest> textVectors() {
        return Vectors.tests(LabelSelectorsTest.class, "label-selector-string", vector -> {
            String text = (String) vector.input().get("selector");
            if (vector.expected().containsKey("error")) {
                assertThatExceptionOfType(InvalidSelectorException.class).isThrownBy(() -> LabelSelectors.parse(text));
                return;
            }
            Selector selector = LabelSelectors.parse(text);
            checkPredicate(selector, vector);
            assertThat(LabelSelectors.parse(selector.toString())).hasToString(selector.toString());
        });
    }

    @TestFactory
    Stream<DynamicTest> objectVectors() {
        return Vectors.tests(LabelSelectorsTest.class, "label-selector-object", vector -> {
            LabelSelector object = object((Map<String, Object>) vector.input().get("selector"));
            Map<String, Object> expected = vector.expected();
            assertThat(LabelSelectors.format(object)).isEqualTo(expected.get("formatted"));
            if (expected.containsKey("error")) {
                assertThatExceptionOfType(InvalidSelectorException.class).isThrownBy(() -> LabelSelectors.of(object));
            } else {
                checkPredicate(LabelSelectors.of(object), vector);
            }
            if (object != null) {
                checkMap(object, (Map<String, Object>) expected.get("asMap"));
            }
        });
    }

    private static void checkMap(LabelSelector object, Map<String, Object> expected) {
        if (expected.containsKey("error")) {
            assertThatExceptionOfType(InvalidSelectorException.class).isThrownBy(() -> LabelSelectors.toMap(object));
        } else {
            assertThat(LabelSelectors.toMap(object)).isEqualTo(expected);
        }
    }

    private static void checkPredicate(Selector selector, Vectors.Case vector) {
        Map<String, Object> expected = vector.expected();
        assertThat(selector).hasToString((String) expected.get("string"));
        assertThat(selector.isEmpty()).isEqualTo(expected.get("empty"));
        assertThat(selector.isNothing()).isEqualTo(!(boolean) expected.get("selectable"));
        List<Map<String, String>> labelSets =
                (List<Map<String, String>>) vector.input().get("labelSets");
        assertThat(labelSets.stream().map(selector::matches).toList()).isEqualTo(expected.get("matches"));
        List<Map<String, Object>> requirements = selector.requirements().stream()
                .map(r -> Map.<String, Object>of(
                        "key",
                        r.key(),
                        "operator",
                        r.operator().toString(),
                        "values",
                        r.values().stream().distinct().sorted().toList()))
                .toList();
        assertThat(requirements).isEqualTo(expected.get("requirements"));
    }

    private static LabelSelector object(Map<String, Object> json) {
        if (json == null) {
            return null;
        }
        List<Map<String, Object>> expressions =
                (List<Map<String, Object>>) json.getOrDefault("matchExpressions", List.of());
        return new LabelSelector(
                (Map<String, String>) json.getOrDefault("matchLabels", Map.of()),
                expressions.stream()
                        .map(e -> new LabelSelectorRequirement(
                                (String) e.get("key"),
                                (String) e.get("operator"),
                                (List<String>) e.get("values"),
                                UnknownFields.NONE))
                        .toList(),
                UnknownFields.NONE);
    }

    @Test
    void ofMap_labels_allMustMatch() {
        Selector selector = LabelSelectors.ofMap(Map.of("tier", "web", "app", "shop"));
        assertThat(selector).hasToString("app=shop,tier=web").isEqualTo(LabelSelectors.parse("tier=web,app=shop"));
        assertThat(selector.matches(Map.of("app", "shop", "tier", "web", "x", "y")))
                .isTrue();
        assertThat(selector.matches(Map.of("app", "shop"))).isFalse();
        assertThat(LabelSelectors.ofMap(Map.of())).isEqualTo(Selector.EVERYTHING);
    }

    @Test
    void nothing_isNotEverything() {
        assertThat(Selector.NOTHING).isNotEqualTo(Selector.EVERYTHING);
        assertThat(Selector.NOTHING.matches(Map.of())).isFalse();
        assertThat(Selector.EVERYTHING.matches(Map.of())).isTrue();
    }

    @Test
    void parse_commasInAList_readInPairs() {
        assertThat(LabelSelectors.parse("x in (a,,,)")).hasToString("x in (,a)");
        assertThatExceptionOfType(InvalidSelectorException.class).isThrownBy(() -> LabelSelectors.parse("x in (a,,)"));
        assertThatExceptionOfType(InvalidSelectorException.class).isThrownBy(() -> LabelSelectors.parse("x in (,,)"));
    }

    @Test
    void parse_invalid_messageIsThatOfTheServer() {
        Map<String, String> messages = Map.of(
                "app in web", "unable to parse requirement: found 'web' expected: '('",
                "=", "found '=', expected: !, identifier, or 'end of string'",
                "a=b,,", "found ',', expected: identifier after ','",
                "a gt 1", "unable to parse requirement: found 'gt', expected: in, notin, =, ==, !=, gt, lt",
                "a=bad value", "found 'value', expected: ',' or 'end of string'",
                "a>x",
                        "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the "
                                + "value"
                                + " must be an integer");
        messages.forEach((text, message) -> assertThatExceptionOfType(InvalidSelectorException.class)
                .isThrownBy(() -> LabelSelectors.parse(text))
                .withMessage(message));
    }
}
