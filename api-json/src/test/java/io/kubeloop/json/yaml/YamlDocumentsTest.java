/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlDocumentsTest {

    /** The right column is what kubectl makes of the left one, but for digits that kubectl loses. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "y|true",
                "yes|true",
                "On|true",
                "n|false",
                "OFF|false",
                "yEs|\"yEs\"",
                "0644|420",
                "0o17|15",
                "0x1F|31",
                "0xffffffffffffffff|18446744073709551615",
                "0x52908400098527886E0F7030069857D2E4169EE7|\"0x52908400098527886E0F7030069857D2E4169EE7\"",
                "-0x8000000000000001|\"-0x8000000000000001\"",
                "02000000000000000000000|2e+21",
                "._5|\"._5\"",
                "0b11|3",
                "-0b11|-3",
                "1_000|1000",
                "1.10|1.1",
                "1e3|1000",
                "0899|899",
                "8080:80|\"8080:80\"",
                "1:30|\"1:30\"",
                "2020-01-01|\"2020-01-01\"",
                "2020-01-01T00:00:00Z|\"2020-01-01T00:00:00Z\"",
                "12345678901234567890|12345678901234567890",
                "99999999999999999999999|99999999999999999999999",
                "+5|5",
                "-0|0",
                ".5|0.5",
                "5.|5",
                "1.0|1",
                "0.0|0",
                "1e400|\"1e400\"",
                "1e-2147483648|0",
                "~|null",
                "=|\"=\"",
                "\"yes\"|\"yes\"",
                "'5'|\"5\"",
                "!!str 5|\"5\"",
                "!!int \"7\"|7",
                "!!binary aGk=|\"hi\"",
                "1e21|1e+21",
                "1e-7|0.0000001",
                "!foo 12|\"12\"",
                "1.2.3|\"1.2.3\"",
                "10.0.0.0/8|\"10.0.0.0/8\"",
                "500m|\"500m\"",
                "1.5Gi|\"1.5Gi\"",
                "-|[null]",
                "<<|\"<<\"",
                "{1: a, true: b, 1.5: c, 0644: d}|{\"1\":\"a\",\"true\":\"b\",\"1.5\":\"c\",\"420\":\"d\"}",
                "{\"a\": [1, \"x\\n\", {}]}|{\"a\":[1,\"x\\n\",{}]}"
            })
    void parse_value_meansWhatItMeansToKubectl(String yaml, String json) {
        assertThat(one("x: " + (yaml.equals("-") ? "\n- " : yaml))).isEqualTo(JsonValue.parse("{\"x\":" + json + "}"));
    }

    @Test
    void parse_anchorsAndMergeKeys_areExpanded() {
        String yaml = """
                base: &base {a: 1, b: 2}
                other: &other {b: 3, c: 4}
                list: [*base, *base]
                merged:
                  <<: [*base, *other]
                  a: 9
                """;
        assertThat(one(yaml)).isEqualTo(JsonValue.parse("""
                                {"base":{"a":1,"b":2},"other":{"b":3,"c":4},"list":[{"a":1,"b":2},{"a":1,"b":2}],
                                 "merged":{"a":9,"b":2,"c":4}}"""));
    }

    @Test
    void parse_severalDocuments_skipsEmptyOnesAndCountsThem() {
        List<YamlDocuments.Document> documents =
                YamlDocuments.parse("f", "# nothing\n---\na: 1\n---\n---\n\nb: 2\n...\n");
        assertThat(documents).extracting(YamlDocuments.Document::index).containsExactly(1, 3);
        assertThat(documents).extracting(YamlDocuments.Document::line).containsExactly(3, 7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a: 1\\na: 2|f, document 1, line 2: the key \"a\" occurs twice",
                "---\\nx: 1\\n---\\na: .inf|f, document 2, line 4: JSON has no number",
                "a:\\n- b\\n c: d|f, document 1, line 3: ",
                "a: 1\\n---\\nb: [1|f, document 2, line ",
                "a: \"x|f, document 1, line ",
                "~: 1|f, document 1, line 1: a key of a map should be a string",
                "[1]: 1|f, document 1, line 1: a key of a map should be a string",
                "<<: 5|f, document 1, line 1: a merge key",
                "a: !!int x|f, document 1, line 1: \"x\" is not a number",
                "a: !!binary '*'|f, document 1",
                "a: *b|f, document 1, line 1: ",
                "a: 1\\n\\tc: d|f, document 1, line 2: ",
            })
    void parse_badYaml_saysDocumentAndLine(String yaml, String message) {
        String text = yaml.replace("\\n", "\n").replace("\\t", "\t");
        assertThatThrownBy(() -> YamlDocuments.parse("f", text))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining(message);
    }

    @Test
    void parse_billionLaughs_isRefused() {
        StringBuilder yaml = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 7; i++) {
            yaml.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ",").repeat(7)));
        }
        assertThatThrownBy(() -> YamlDocuments.parse("f", yaml.toString())).isInstanceOf(DecodeException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"&a [*a]", "a: &a {b: *a}"})
    void parse_collectionInsideItself_isRefused(String yaml) {
        assertThatThrownBy(() -> YamlDocuments.parse("f", yaml)).isInstanceOf(DecodeException.class);
    }

    @Test
    void parse_nestedTooDeep_isRefused() {
        assertThatThrownBy(() -> YamlDocuments.parse("f", "[".repeat(5000)))
                .isInstanceOf(DecodeException.class)
                .hasMessageContaining("Depth");
    }

    @Test
    void parse_jsonIndentedWithTabs_isRead() {
        assertThat(one("\n{\n\t\"a\":\t[1.50]}")).hasToString("{\"a\":[1.50]}");
    }

    private static JsonValue one(String yaml) {
        List<YamlDocuments.Document> documents = YamlDocuments.parse("test", yaml);
        assertThat(documents).hasSize(1);
        return documents.get(0).value();
    }

    /** What kube-apiserver 1.36.3 answers to a body. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "\\ud83d\\ude00"      | line 3: found invalid Unicode character escape code
            "\\ud83d"            | line 3: found invalid Unicode character escape code
            "\\ude00"            | line 3: found invalid Unicode character escape code
            "\\U00110000"       | line 3: found invalid Unicode character escape code
            "x\u007fy"            | control characters are not allowed
            "x\ufffey"            | control characters are not allowed
            "x\uffffy"            | control characters are not allowed
            "x\u0080y"            | control characters are not allowed
            "x\u009fy"            | control characters are not allowed
            "x\u0001y"            | control characters are not allowed
            """)
    void characters_thatGoRejects_areRejected(String value, String message) {
        String text = "x: 1\ny: 2\na: " + value + "\n";
        assertThatThrownBy(() -> YamlDocuments.first("the body", text))
                .isInstanceOfSatisfying(
                        DecodeException.class,
                        e -> assertThat(YamlDocuments.serverMessage(e)).isEqualTo(message));
    }

    @Test
    void characters_thatGoAccepts_areRead() {
        assertThat(value("\"\\U0001F600\"")).isEqualTo("\ud83d\ude00");
        assertThat(value("\"\ud83d\ude00\"")).isEqualTo("\ud83d\ude00");
        assertThat(value("\"\\ufffe\\x7f\\x85\"")).isEqualTo("\ufffe\u007f\u0085");
        assertThat(value("\"\\\\ud83d\"")).isEqualTo("\\ud83d");
        assertThat(value("\"x\u2028y\ufeffz\"")).isEqualTo("x\u2028y\ufeffz");
    }

    @Test
    void nextLine_endsALine() {
        assertThat(value("\"x\u0085y\"")).isEqualTo("x y");
        assertThat(value("'x\u0085 y'")).isEqualTo("x y");
        assertThat(value("|\n    x\u0085    y")).isEqualTo("x\ny\n");
        assertThat(value(">\n    x\u0085    y")).isEqualTo("x y\n");
        assertThat(YamlDocuments.first("json", "{\"a\":\"x\u0085y\"}")).hasToString("{\"a\":\"x y\"}");
    }

    /** A manifest in JSON is read as JSON by kubectl, a body of an apply as YAML by the server. */
    @Test
    void escapesInJson_areThoseOfYamlOnlyIfTheLastKeyCounts() {
        String json = "{\"a\":\"\\ud83d\\ude00\"}";
        assertThat(YamlDocuments.parse("json", json)).hasSize(1);
        assertThatThrownBy(() -> YamlDocuments.first("json", json))
                .isInstanceOfSatisfying(
                        DecodeException.class,
                        e -> assertThat(YamlDocuments.serverMessage(e))
                                .isEqualTo("found invalid Unicode character escape code"));
        assertThat(YamlDocuments.parse("json", "{\"a\":\"\u007f\"}")).hasSize(1);
        assertThatThrownBy(() -> YamlDocuments.first("json", "{\"a\":\"\u007f\"}"))
                .hasMessageContaining("control characters are not allowed");
    }

    /** As in Go's programs: what follows is not read, so it may be no YAML at all. */
    @Test
    void first_isTheFirstDocument_alsoIfItIsEmpty() {
        assertThat(YamlDocuments.first("text", "a: 1\na: 2\n---\n*unknown\n")).hasToString("{\"a\":2}");
        assertThat(YamlDocuments.first("text", "---\n---\na: 1\n")).isEqualTo(JsonNull.NULL);
        assertThat(YamlDocuments.first("text", "# nothing\n")).isEqualTo(JsonNull.NULL);
    }

    private static String value(String scalar) {
        return ((JsonObject) YamlDocuments.first("text", "a: " + scalar + "\n")).string("a");
    }
}
