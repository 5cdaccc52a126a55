/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.scan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kubeloop.api.client.DecodeException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.YamlDocuments;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bytes that are no characters, with the answers of kube-apiserver 1.36.3 for the value of a config map. */
class Utf8Test {

    /**
     * @param bytes the bytes between {@code x} and {@code y}, in hexadecimal
     * @param json the number of U+FFFD that replace them in JSON
     * @param yaml the message for the same value in YAML
     */
    @ParameterizedTest
    @CsvSource({
        "ff, 1, invalid leading UTF-8 octet",
        "fffe, 2, invalid leading UTF-8 octet",
        "80, 1, invalid leading UTF-8 octet",
        "f888808080, 5, invalid leading UTF-8 octet",
        "c3, 1, invalid trailing UTF-8 octet",
        "e282, 2, invalid trailing UTF-8 octet",
        "f09f98, 3, invalid trailing UTF-8 octet",
        "c080, 2, invalid length of a UTF-8 sequence",
        "e08080, 3, invalid length of a UTF-8 sequence",
        "eda080, 3, invalid Unicode character",
        "f4908080, 4, invalid Unicode character",
    })
    void brokenCharacter_isReplacedInJson_andRefusedInYaml(String bytes, int json, String yaml) {
        String broken = new String(HexFormat.of().parseHex(bytes), ISO_8859_1);

        JsonObject map = JsonObject.parse(("{\"a\":\"x" + broken + "y\"}").getBytes(ISO_8859_1));
        assertThat(map.string("a")).isEqualTo("x" + "\ufffd".repeat(json) + "y");

        DecodeException refused = catchThrowableOfType(
                DecodeException.class,
                () -> YamlDocuments.text("the body", ("a: \"x" + broken + "y\"\n").getBytes(ISO_8859_1)));
        assertThat(YamlDocuments.serverMessage(refused)).isEqualTo(yaml);
    }

    @Test
    void characterThatTheEndCutsOff_isIncomplete() {
        DecodeException refused = catchThrowableOfType(
                DecodeException.class, () -> YamlDocuments.text("the body", "a: \"x\u00e2\u0082".getBytes(ISO_8859_1)));
        assertThat(YamlDocuments.serverMessage(refused)).isEqualTo("incomplete UTF-8 octet sequence");
    }

    @Test
    void validText_staysAsItIs() {
        String text = "a: \"\u00e4\u20ac\ud83d\ude00\ufffd\"\n";
        assertThat(YamlDocuments.text("the body", text.getBytes(UTF_8))).isEqualTo(text);
        JsonObject map = JsonObject.parse("{\"\u00e4\":\"\ufffd\ud83d\ude00\"}".getBytes(UTF_8));
        assertThat(map.string("\u00e4")).isEqualTo("\ufffd\ud83d\ude00");
    }
}
