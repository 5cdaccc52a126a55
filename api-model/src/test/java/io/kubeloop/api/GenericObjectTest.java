/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GenericObjectTest {

    private static final String CONTENT =
            "\"spec\": { \"image\" : \"a\\tb\\u00e9\\\"\" , \"replicas\":3,\"on\":true,\"ratio\":1.50,"
                    + "\"exact\":2e1,\"huge\":123456789012345678901, \"none\":null ,\"ports\":[ 80, \"web\" "
                    + ",{\"x\":[]}],\"empty\":{ }},"
                    + "\"data\":{\"k\\\"1\":\"v\",\"ключ\":\"значение\"}";

    private final GenericObject widget = widget(CONTENT);

    private static GenericObject widget(String members) {
        return new GenericObject(
                "example.com/v1", "Widget", ObjectMeta.named("shop", "a"), UnknownFields.ofMembers(members));
    }

    @Test
    void values_ofEachType_areRead() {
        assertThat(widget.string("spec", "image")).isEqualTo("a\tb\u00e9\"");
        assertThat(widget.integer("spec", "replicas")).isEqualTo(3L);
        assertThat(widget.integer("spec", "exact")).isEqualTo(20L);
        assertThat(widget.bool("spec", "on")).isTrue();
        assertThat(widget.value("spec", "ratio")).isEqualTo(new BigDecimal("1.50"));
        assertThat(widget.value("spec", "huge")).isEqualTo(new BigDecimal("123456789012345678901"));
        assertThat(widget.list("spec", "ports")).isEqualTo(List.of(80L, "web", Map.of("x", List.of())));
        assertThat(widget.map("data")).containsExactly(Map.entry("k\"1", "v"), Map.entry("ключ", "значение"));
        assertThat(widget.string("data", "k\"1")).isEqualTo("v");
        assertThat(widget.string("data", "ключ")).isEqualTo("значение");
        assertThat(widget.map()).containsOnlyKeys("spec", "data");
        assertThat(widget.map("spec", "empty")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "absent", "image.inside", "ports.x"})
    void values_thatAreAbsentOrNull_areReadAsTheZeroValue(String path) {
        String[] names = ("spec." + path).split("\\.", -1);
        assertThat(widget.value(names)).isNull();
        assertThat(widget.string(names)).isEmpty();
        assertThat(widget.integer(names)).isNull();
        assertThat(widget.bool(names)).isFalse();
        assertThat(widget.list(names)).isEmpty();
        assertThat(widget.map(names)).isEmpty();
    }

    @Test
    void values_ofAnotherType_areRefusedWithThePath() {
        assertThatIllegalStateException()
                .isThrownBy(() -> widget.string("spec", "replicas"))
                .withMessage("Cannot read spec.replicas of Widget shop/a as a string: it is a whole number");
        assertThatIllegalStateException()
                .isThrownBy(() -> widget.integer("spec", "ratio"))
                .withMessageContaining("as a whole number of 64 bits: it is a number with a fraction");
        assertThatIllegalStateException()
                .isThrownBy(() -> widget.bool("spec"))
                .withMessageEndingWith("as a boolean: it is a map");
        assertThatIllegalStateException()
                .isThrownBy(() -> widget.list("spec", "image"))
                .withMessageEndingWith("as a list: it is a string");
        assertThatIllegalStateException()
                .isThrownBy(() -> widget.map("spec", "ports"))
                .withMessageEndingWith("as a map: it is a list");
        assertThatIllegalStateException()
                .isThrownBy(() -> widget.integer("spec", "on"))
                .withMessageEndingWith("as a whole number: it is a boolean");
    }

    @Test
    void collections_thatAreRead_areUnmodifiable() {
        Map<String, Object> spec = widget.map("spec");
        List<Object> ports = widget.list("spec", "ports");
        assertThatThrownBy(() -> spec.put("a", "b")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ports.add("b")).isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "                              | a     | {\"a\":7}",
                "                              | a.b.c | {\"a\":{\"b\":{\"c\":7}}}",
                "\"a\":1,\"b\" : 1.50          | a     | {\"a\":7,\"b\" : 1.50}",
                "\"a\":{\"b\":1, \"c\":2e3},\"d\":0| a.b | {\"a\":{\"b\":7, \"c\":2e3},\"d\":0}",
                "\"a\":{\"c\":[ ]},\"d\":0     | a.b   | {\"a\":{\"c\":[ ],\"b\":7},\"d\":0}",
                "\"a\":{ },\"d\":0             | a.b   | {\"a\":{ \"b\":7},\"d\":0}",
                "\"a\":\"text\",\"d\":0        | a.b.c | {\"a\":{\"b\":{\"c\":7}},\"d\":0}",
                "\"a\":{\"b\":null},\"d\":0    | a.b.c | {\"a\":{\"b\":{\"c\":7}},\"d\":0}",
                "\"a\":[1],\"d\":0             | e     | {\"a\":[1],\"d\":0,\"e\":7}",
            })
    void with_aPath_changesThatValueAndNoOtherByte(String members, String path, String expected) {
        GenericObject before = widget(members == null ? "" : members);
        GenericObject after = before.with(List.of(path.split("\\.", -1)), 7);
        assertThat(after.unknownFields()).hasToString(expected);
        assertThat(after.metadata()).isEqualTo(before.metadata());
        assertThat(before).isEqualTo(widget(members == null ? "" : members));
    }

    @Test
    void with_bits_keepsThem() {
        byte[] members = "\"a\":1,\"b\":2".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        UnknownFields slice = UnknownFields.of(members, 5, 9);
        GenericObject object = new GenericObject("v1", "X", ObjectMeta.EMPTY, slice).with(List.of("b"), "x");
        assertThat(object.unknownFields()).hasToString("{\"a\":1,\"b\":\"x\"}");
        assertThat(object.unknownFields().nulls()).isEqualTo(5);
        assertThat(object.unknownFields().empties()).isEqualTo(9);
    }

    @Test
    void with_eachTypeOfValue_isReadBackEqual() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("text \"\\\n\u0001é😀", "line\n\"\\ \u0001é😀");
        value.put("whole", -12L);
        value.put("decimal", new BigDecimal("1.50"));
        value.put("bool", false);
        value.put("null", null);
        value.put("list", Arrays.asList("a", null, List.of(), Map.of()));
        GenericObject changed = widget.with(List.of("status", "x"), value);
        assertThat(changed.value("status", "x")).isEqualTo(value);
        assertThat(changed.map("spec")).isEqualTo(widget.map("spec"));
    }

    @Test
    void with_aValueThatJsonCannotHold_isRefused() {
        for (Object bad : List.of(Instant.EPOCH, Double.NaN, Map.of(1, 2), List.of(Instant.EPOCH))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> widget.with(List.of("spec"), bad))
                    .withMessageStartingWith("Cannot write a ");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"a\":{\"b\":1,\"c\":2},\"d\":0 | a.b   | {\"a\":{\"c\":2},\"d\":0}",
                "\"a\":{\"b\":1},\"d\":0         | a.b   | {\"a\":{},\"d\":0}",
                "\"a\":{\"b\":1},\"d\":0         | a     | {\"d\":0}",
                "\"a\":1,\"d\":0                 | a.b   | {\"a\":1,\"d\":0}",
                "\"a\":{\"b\":1}                 | x.y.z | {\"a\":{\"b\":1}}",
            })
    void without_aPath_removesThatMemberAlone(String members, String path, String expected) {
        assertThat(widget(members).without(List.of(path.split("\\.", -1))).unknownFields())
                .hasToString(expected);
    }

    @Test
    void paths_outsideTheContent_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> widget.string("metadata", "name"))
                .withMessageContaining("[metadata, name]");
        assertThatIllegalArgumentException().isThrownBy(() -> widget.with(List.of("kind"), "Gadget"));
        assertThatIllegalArgumentException().isThrownBy(() -> widget.with(List.of(), "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> widget.without(List.of()));
    }
}
