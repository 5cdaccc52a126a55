/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.yaml.YamlDocuments;
import io.kubeloop.testing.Growth;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each text repeats its second part, in which # is a number; @ and a character are that character 50 times. Texts that
 * a parser rejects count too.
 */
class ParserGrowthTest {

    private static final int SIZE = 10_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "documents        |``              |`--- a\n`",
                "empty documents  |``              |`---\n`",
                "escapes          |``              |`--- \"\\u0041\"\n`",
                "maps             |``              |`--- {a#: [b, c]}\n`",
                "ends             |`a`             |`\n...`",
                "list             |``              |`- a#\n`",
                "map              |``              |`a#: b\n`",
                "one key          |``              |`a: b\n`",
                "flow list        |`[`             |`a,`",
                "flow map         |`{`             |`a#: b,`",
                "flow keys        |`[`             |`? a : b,`",
                "plain word       |`a: `           |`@a`",
                "plain words      |`a: `           |`aaaaa `",
                "spaces           |`a: `           |`@ `",
                "lines            |`a: `           |`\n          b`",
                "quoted           |`a: \"`         |`@a`",
                "quoted spaces    |`a: \"`         |`@ `",
                "quoted lines     |`a: \"`         |`a\n `",
                "single quotes    |`a: '`          |`''`",
                "escaped          |`a: \"`         |`\\x41`",
                "literal          |`a: |\n`        |` a\n`",
                "literal blanks   |`a: |\n a\n`    |`\n`",
                "folded           |`a: >\n`        |` a\n`",
                "anchors          |``              |`- &a# b\n`",
                "anchor           |`&`             |`@a`",
                "aliases          |`- &a b\n`      |`- *a\n`",
                "tags             |``              |`- !t# b\n`",
                "tag              |`!`             |`@a`",
                "tag escapes      |`!`             |`%41`",
                "directives       |``              |`%TAG !t#! t#\n`",
                "directive        |`%A `           |`@a`",
                "comments         |``              |`# a\n`",
                "comment          |`#`             |`@a`",
                "brackets         |``              |`[`",
                "braces           |``              |`{`",
                "dashes           |``              |`- `",
                "questions        |``              |`? `",
                "colons           |``              |`: `",
                "merges           |`- &a {b: c}\n- `|`{<<: *a},`",
                "merge list       |`- &a {b: c}\n- <<: [`|`*a,`",
                "number           |`a: `           |`@1`",
                "binary           |`a: !!binary `  |`QUFB`",
                "characters       |``              |`\ud83d\ude00`",
                "byte order marks |``              |`\ufeff`",
                "tabs             |``              |`\t`",
                "line breaks      |``              |`\r\n`",
                "json list        |`[`             |`1,`",
                "json texts       |`{\"a\":\"`     |`\\u0041`",
                "json map         |`{`             |`\"a#\":1,`",
                "json key         |`{`             |`\"a\":1,`",
                "json number      |`{\"a\":`       |`@1`",
                "json fraction    |`{\"a\":0.`     |`@1`",
                "json exponent    |`{\"a\":1e`     |`@1`",
                "json spaces      |`{\"a\":`     |`@ `",
                "json breaks      |`[1`            |`@\n`",
                "json values      |``              |`{}`",
            })
    void parse_text_takesTimeInProportion(String name, String begin, String part) {
        Growth.assertLinear("YAML, " + name, SIZE, size -> {
            String text = text(begin, part, size);
            return () -> attempt(() -> YamlDocuments.parse("text", text));
        });
        Growth.assertLinear("the first document of YAML, " + name, SIZE, size -> {
            String text = text(begin, part, size);
            return () -> attempt(() -> YamlDocuments.first("text", text));
        });
        Growth.assertLinear("duplicate keys of YAML, " + name, SIZE, size -> {
            String text = text(begin, part, size);
            return () -> attempt(() -> YamlDocuments.duplicateKeys(text));
        });
        Growth.assertLinear("JSON, " + name, SIZE, size -> {
            String text = text(begin, part, size);
            return () -> attempt(() -> JsonValue.parse(text));
        });
    }

    private static String text(String begin, String repeated, int count) {
        String part = repeated.startsWith("@") ? repeated.substring(1).repeat(50) : repeated;
        String end = begin.endsWith("[") ? "]" : begin.endsWith("{") ? "}" : begin.endsWith("\"") ? "\"}" : "";
        return begin
                + IntStream.range(0, count)
                        .mapToObj(i -> part.replace("#", Integer.toString(i)))
                        .collect(Collectors.joining())
                + end;
    }

    private static void attempt(Runnable parser) {
        try {
            parser.run();
        } catch (DecodeException e) {
            // Rejected, which takes time too.
        }
    }
}
