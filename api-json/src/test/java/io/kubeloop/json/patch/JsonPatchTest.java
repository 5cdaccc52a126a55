/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPatchTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":[1,2]}|[{\"op\":\"add\",\"path\":\"/a/-1\",\"value\":3}]|{\"a\":[1,2,3]}",
                "{\"a\":[1,2]}|[{\"op\":\"remove\",\"path\":\"/a/-1\"}]|{\"a\":[1]}",
                "{\"a\":[{\"b\":1}]}|[{\"op\":\"replace\",\"path\":\"/a/0/b\",\"value\":2}]|{\"a\":[{\"b\":2}]}",
                "{\"a\":1}|[{\"op\":\"test\",\"path\":\"/b\",\"value\":null}]|{\"a\":1}",
                "{\"a\":1}|[{\"op\":\"copy\",\"path\":\"/b\",\"from\":\"/a\"}]|{\"a\":1,\"b\":1}",
                "{\"a\":[1.0]}|[{\"op\":\"test\",\"path\":\"/a\",\"value\":[1.0]}]|{\"a\":[1.0]}",
                "{\"\":1}|[{\"op\":\"remove\",\"path\":\"/\"}]|{}",
                "{\"b\":1}|[{\"op\":\"remove\",\"path\":\"a/b\"}]|{}",
            })
    void fits_isApplied(String document, String patch, String result) {
        assertThat(apply(document, patch)).isEqualTo(JsonObject.parse(result));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"op\":\"add\",\"path\":\"/x/y\",\"value\":1}",
                "{\"op\":\"add\",\"path\":\"/a/b/c\",\"value\":1}",
                "{\"op\":\"replace\",\"path\":\"/l/3\",\"value\":1}",
                "{\"op\":\"remove\",\"path\":\"/l/x\"}",
                "{\"op\":\"remove\",\"path\":\"/l/-3\"}",
                "{\"op\":\"move\",\"path\":\"/b\",\"from\":\"/z\"}",
                "{\"op\":\"test\",\"path\":\"/l\",\"value\":[1,2.0]}",
                "{\"op\":\"jump\",\"path\":\"/a\"}",
                "{\"op\":\"remove\",\"path\":\"\"}",
                "{\"op\":\"remove\",\"path\":\"a\"}",
            })
    void doesNotFit_isUnprocessable(String operation) {
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply("{\"a\":1,\"l\":[1,2]}", "[" + operation + "]"))
                .matches(e -> !e.isMalformed());
    }

    @Test
    void copiesOfCopies_areRefusedBeforeTheyFillTheMemory() {
        String twice = "{\"op\":\"add\",\"path\":\"/b\",\"value\":{}},"
                + "{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b/l\"},{\"op\":\"copy\",\"from\":\"/a\","
                + "\"path\":\"/b/r\"},"
                + "{\"op\":\"move\",\"from\":\"/b\",\"path\":\"/a\"}";
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply("{\"a\":{\"x\":1}}", list(twice, 60)))
                .withMessageContaining("copies")
                .matches(e -> !e.isMalformed());
    }

    @Test
    void nestsTheDocument_isRefusedBeforeTheStackEnds() {
        String deeper =
                "{\"op\":\"add\",\"path\":\"/b\",\"value\":{}},{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/b/c\"},"
                        + "{\"op\":\"move\",\"from\":\"/b\",\"path\":\"/a\"}";
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply("{\"a\":{}}", list(deeper, 3000)))
                .withMessageContaining("nested deeper")
                .matches(e -> !e.isMalformed());
        assertThat(apply("{\"a\":{}}", list(deeper, 250))).isNotNull();
    }

    @Test
    void movesUpAndDown_neverCountAsNesting() {
        String downAndUp = "{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/b/c/d\"},{\"op\":\"move\",\"from\":\"/b/c/d\","
                + "\"path\":\"/a\"}";
        String document = "{\"a\":{\"x\":[1]},\"b\":{\"c\":{}}}";
        assertThat(apply(document, list(downAndUp, 1000))).isEqualTo(JsonObject.parse(document));
    }

    @Test
    void tooManyOperations_isTooLarge() {
        String test = "{\"op\":\"test\",\"path\":\"/a\",\"value\":1}";
        assertThat(apply("{\"a\":1}", list(test, 10_000))).isEqualTo(JsonObject.parse("{\"a\":1}"));
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply("{\"a\":1}", list(test, 10_001)))
                .matches(e -> e.kind() == PatchException.Kind.TOO_LARGE);
    }

    private static String list(String operations, int times) {
        return "[" + (operations + ",").repeat(times - 1) + operations + "]";
    }

    @Test
    void operationWithoutPath_isUnprocessable() {
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply("{}", "[{\"op\":\"add\"}]"))
                .matches(e -> e.kind() == PatchException.Kind.UNPROCESSABLE);
    }

    /** As many operations as a patch may have, on large objects and lists, copy each of them once. */
    @Test
    @Timeout(10)
    void ofManyOperations_isLinear() {
        StringBuilder members = new StringBuilder();
        StringBuilder operations = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            members.append(i == 0 ? "" : ",").append("\"k").append(i).append("\":\"v\"");
        }
        for (int i = 0; i < 10_000; i++) {
            String kind = i % 4 == 0
                    ? "\"move\",\"from\":\"/o/k" + i + "\""
                    : i % 4 == 1
                            ? "\"copy\",\"from\":\"/o/k" + i + "\""
                            : i % 4 == 2 ? "\"add\",\"value\":1" : "\"test\",\"value\":null";
            operations.append(i == 0 ? "" : ",").append("{\"op\":").append(kind).append(",\"path\":\"/o/n" + i + "\"}");
        }
        JsonObject document = JsonObject.parse("{\"o\":{" + members + "},\"l\":[1]}");
        JsonPatch patch = JsonPatch.of(JsonValue.parse("[" + operations + "]"));
        JsonObject patched = (JsonObject) patch.apply(document);
        assertThat(patched.object("o").members())
                .hasSize(50_000 + 5_000)
                .doesNotContainKey("k0")
                .containsKey("n0");
        assertThat(patch.visited(patched)).isEqualTo(patched);
    }

    private static JsonValue apply(String document, String patch) {
        return JsonPatch.of(JsonValue.parse(patch)).apply(JsonObject.parse(document));
    }
}
