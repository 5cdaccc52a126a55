/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.DecodeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonValueTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"b\":1,\"a\":[true,false,null,\"x\"],\"c\":{}}",
                "[]",
                "{}",
                "9007199254740993",
                "123456789012345678901234567890.000100",
                "-0",
                "1E+2",
                "\"\"",
                "\"\u00e4\ud83d\ude00\"",
                "null"
            })
    void parse_anyDocument_writesBackTheSameText(String text) {
        assertThat(JsonValue.parse(text)).hasToString(text);
        assertThat(JsonValue.parse(text.getBytes(StandardCharsets.UTF_8)).toBytes())
                .isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void toString_charactersThatGoEscapes_areEscapedTheSameWay() {
        JsonString string = new JsonString("<a>&\"\\\n\r\t\b\f\u0000\u2028\u2029\u007f/");
        assertThat(string)
                .hasToString("\"\\u003ca\\u003e\\u0026\\\"\\\\\\n\\r\\t\\u0008\\u000c\\u0000\\u2028\\u2029\u007f/\"");
        assertThat(JsonValue.parse(string.toString())).isEqualTo(string);
    }

    @Test
    void toString_halfASurrogatePair_becomesTheReplacementCharacter() {
        assertThat(JsonValue.parse("\"a\\ud800b\"")).hasToString("\"a\\ufffdb\"");
    }

    @ParameterizedTest
    @CsvSource({"1,1.0", "100,1e2", "0,-0", "0.5,5E-1", "1e99999999999,1e99999999999", "1e-2147483648,1e-2147483648"})
    void equals_numbersOfTheSameValue_areEqual(String one, String other) {
        assertThat(new JsonNumber(one)).isEqualTo(new JsonNumber(other)).hasSameHashCodeAs(new JsonNumber(other));
    }

    @ParameterizedTest
    @CsvSource({
        "1,2",
        "9007199254740993,9007199254740992",
        "1e99999999999,1e99999999998",
        "1e999999999,1",
        "1e-2147483648,0"
    })
    void equals_numbersOfOtherValue_differ(String one, String other) {
        assertThat(new JsonNumber(one)).isNotEqualTo(new JsonNumber(other));
    }

    @Test
    void equals_membersInAnotherOrder_areEqual() {
        assertThat(JsonValue.parse("{\"a\":1,\"b\":[1,2]}"))
                .isEqualTo(JsonValue.parse("{\"b\":[1,2.0],\"a\":1}"))
                .isNotEqualTo(JsonValue.parse("{\"b\":[2,1],\"a\":1}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":{\"b\":[1,x]}}|$.a.b[1]",
                "{\"a\":1|$.a",
                "[1,2|$[2]",
                "{} {}|$",
                "{\"a\":01}|$.a",
                "''|$",
                "{'a':1}|$",
                "nul|$"
            })
    void parse_notJson_saysWhere(String text, String path) {
        assertThatThrownBy(() -> JsonValue.parse(text))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining(path);
    }

    @Test
    void parse_nestedTooDeep_isRefused() {
        assertThat(JsonValue.parse("[".repeat(255) + "]".repeat(255))).isInstanceOf(JsonArray.class);
        assertThatThrownBy(() -> JsonValue.parse("[".repeat(100_000)))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("deep");
    }

    @Test
    void parse_numberOfAbsurdLength_isRefused() {
        assertThatThrownBy(() -> JsonValue.parse("{\"n\":" + "9".repeat(1001) + "}"))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("$.n");
    }

    /** The parser shortens long runs between the tokens, and nothing else. */
    @Test
    void parse_longRuns_keepTheirMeaning() {
        String spaces = " ".repeat(10_000);
        String text = "{\"a\\\"" + spaces + "\":[1" + spaces + ",\"" + "1".repeat(10_000) + "\\\\\"" + spaces + "]}";
        assertThat(JsonValue.parse(text))
                .isEqualTo(JsonObject.of(
                        "a\"" + spaces,
                        JsonArray.of(List.of(JsonNumber.of(1), new JsonString("1".repeat(10_000) + "\\")))));
        assertThatThrownBy(() -> JsonValue.parse("[1" + spaces + "2]")).isInstanceOf(DecodeException.class);
    }

    @Test
    void parse_stream_readsToItsEnd() {
        InputStream in = new ByteArrayInputStream("[1]".getBytes(StandardCharsets.UTF_8));
        assertThat(JsonValue.parse(in)).isEqualTo(JsonArray.of(JsonNumber.of(1)));
    }

    @Test
    void parse_streamThatFails_isADecodeErrorWithItsCause() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("cut");
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                throw new IOException("cut");
            }
        };
        assertThatThrownBy(() -> JsonValue.parse(broken))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("cut")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void object_parseOfAnArray_isRefused() {
        assertThatThrownBy(() -> JsonObject.parse("[]")).isInstanceOf(DecodeException.class);
    }

    @Test
    void object_getters_answerAbsenceWithTheZeroValue() {
        JsonObject object = JsonObject.parse("{\"a\":{\"s\":\"x\",\"n\":3.0,\"t\":true,\"l\":[\"p\",{}]},\"z\":null}");
        assertThat(object.string("a", "s")).isEqualTo("x");
        assertThat(object.number("a", "n")).isEqualTo(3L);
        assertThat(object.bool("a", "t")).isTrue();
        assertThat(object.array("a", "l").strings()).containsExactly("p");
        assertThat(object.array("a", "l").objects()).containsExactly(JsonObject.EMPTY);
        assertThat(object.get("z")).isEqualTo(JsonNull.NULL);
        assertThat(object.get("a", "s", "deeper")).isNull();
        assertThat(object.string("a", "n")).isEmpty();
        assertThat(object.number("a", "s")).isNull();
        assertThat(object.bool("no")).isFalse();
        assertThat(object.object("no").isEmpty()).isTrue();
        assertThat(object.array("no").isEmpty()).isTrue();
        assertThat(object.has("z")).isTrue();
        assertThat(object.has("no")).isFalse();
    }

    @Test
    void object_with_keepsOrderAndLeavesTheOriginalAlone() {
        JsonObject object = JsonObject.parse("{\"a\":1,\"b\":{\"c\":2}}");
        assertThat(object.with("a", "x").with("d", true)).hasToString("{\"a\":\"x\",\"b\":{\"c\":2},\"d\":true}");
        assertThat(object.with(List.of("b", "e", "f"), "y"))
                .hasToString("{\"a\":1,\"b\":{\"c\":2,\"e\":{\"f\":\"y\"}}}");
        assertThat(object.without("a")).hasToString("{\"b\":{\"c\":2}}");
        assertThat(object.without(List.of("b", "c"))).hasToString("{\"a\":1,\"b\":{}}");
        assertThat(object.without(List.of("a", "c"))).isSameAs(object);
        assertThat(object).hasToString("{\"a\":1,\"b\":{\"c\":2}}");
    }

    @Test
    void builder_usedTwice_isRefused() {
        JsonObject.Builder builder =
                JsonObject.builder().put("a", 1).put("b", "x").remove("a");
        assertThat(builder.build()).hasToString("{\"b\":\"x\"}");
        assertThatThrownBy(builder::build).isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "01", "+1", ".5", "1.", "NaN", "0x1", "1e"})
    void number_notInJsonsGrammar_isRefused(String text) {
        assertThatThrownBy(() -> new JsonNumber(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sharesPartsWithTheSameText() {
        String spec =
                "{\"containers\":[{\"name\":\"shared-parts\",\"ports\":[{\"containerPort\":8080}]}],\"priority\":1}";
        JsonObject first = JsonObject.parse("{\"a\":1,\"spec\":" + spec + "}").withSharedParts();
        JsonObject second = JsonObject.parse("{\"a\":2,\"spec\":" + spec + "}").withSharedParts();

        assertThat(second.get("spec")).isSameAs(first.get("spec"));
        assertThat(second).hasToString("{\"a\":2,\"spec\":" + spec + "}");
    }

    @Test
    void keepsNoLargePart_becauseItsSizeIsTheClients() {
        String large = "{\"data\":{\"k\":\"" + "x".repeat(40_000) + "\"}}";
        JsonObject first = JsonObject.parse(large).withSharedParts();
        assertThat(JsonObject.parse(large).withSharedParts().get("data")).isNotSameAs(first.get("data"));
    }

    @Test
    void sharesNoPartWhoseTextDiffers() {
        for (String text : List.of(
                "{\"part\":{\"x\":1,\"y\":{\"z\":[1]}}}",
                "{\"part\":{\"x\":1,\"y\":{\"z\":[1.0]}}}",
                "{\"part\":{\"x\":1.0,\"y\":{\"z\":[1]}}}",
                "{\"part\":{\"y\":{\"z\":[1]},\"x\":1}}",
                "{\"part\":{\"x\":1,\"y\":{\"z\":[1,null]}}}",
                "{\"part\":[{\"x\":1},{\"x\":\"1\"},{},[]]}")) {
            assertThat(JsonObject.parse(text).withSharedParts()).hasToString(text);
        }
    }
}
