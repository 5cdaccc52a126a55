/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Strings that need quotes, because a reader would take them for values of another type. */
class YamlWriterTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a | a",
                "n | \"n\"",
                "Y | \"Y\"",
                "off | \"off\"",
                "1 | \"1\"",
                "0x1f | \"0x1f\"",
                "1e3 | \"1e3\"",
                "null | \"null\"",
                "2020-01-01T00:00:00Z | \"2020-01-01T00:00:00Z\"",
                "v1 | v1",
            })
    void string_isQuoted_ifItReadsAsAnotherType(String text, String written) {
        assertThat(YamlWriter.write(JsonObject.EMPTY.with("k", text))).isEqualTo("k: " + written + "\n");
    }
}
