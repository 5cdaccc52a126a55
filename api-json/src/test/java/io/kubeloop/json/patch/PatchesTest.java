/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.Patch;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatchesTest {

    private static final MergeSchema POD = MergeSchema.of("v1", "Pod");

    @Test
    void strategicMerge_nullsAndDirectivesInNewValues_areLeftOut() {
        assertThat(
                        apply(
                                Patch.Type.STRATEGIC_MERGE,
                                "{\"metadata\":{}}",
                                "{\"metadata\":{\"labels\":{\"a\":null,\"b\":\"1\"},\"ownerReferences\":[{\"$patch\":\"delete\",\"uid\":\"u\"}]},"
                                        + "\"spec\":{\"$setElementOrder/containers\":[{\"name\":\"a\"}],\"containers\":[{\"name\":\"a\",\"image\":null}]}}"))
                .isEqualTo(
                        JsonObject.parse(
                                "{\"metadata\":{\"labels\":{\"b\":\"1\"},\"ownerReferences\":[]},\"spec\":{\"containers\":[{\"name\":\"a\"}]}}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'metadata':{}}|{'metadata':{'$deleteFromPrimitiveList/finalizers':['a']}}|{'metadata':{}}",
                "{'spec':{'args':['a','b']}}|{'spec':{'$deleteFromPrimitiveList/args':['a']}}|{'spec':{'args':['b']}}",
            })
    void strategicMerge_deletionFromAnyListOfScalars_isNeverData(String object, String patch, String result) {
        assertThat(apply(Patch.Type.STRATEGIC_MERGE, quoted(object), quoted(patch)))
                .isEqualTo(JsonObject.parse(quoted(result)));
    }

    private static String quoted(String json) {
        return json.replace('\'', '"');
    }

    @Test
    void apply_yaml_mergesListsByKey() {
        assertThat(apply(
                        Patch.Type.APPLY,
                        "{\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\"a\",\"image\":\"1\"},{\"name\":\"b\"}]}}",
                        "spec:\n  containers:\n  - name: a\n    image: \"2\"\n"))
                .isEqualTo(
                        JsonObject.parse(
                                "{\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\"a\",\"image\":\"2\"},{\"name\":\"b\"}]}}"));
    }

    @Test
    void apply_twoDocuments_isMalformed() {
        assertThatThrownBy(() -> apply(Patch.Type.APPLY, "{}", "a: 1\n---\nb: 1\n"))
                .isInstanceOf(PatchException.class)
                .hasMessageContaining("2");
    }

    @ParameterizedTest
    @EnumSource(Patch.Type.class)
    void anyType_bodyThatIsNoPatch_isMalformed(Patch.Type type) {
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply(type, "{}", "\"x\""))
                .matches(PatchException::isMalformed);
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply(type, "{}", "{"))
                .matches(PatchException::isMalformed);
    }

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
                "{\"a\":1.0}|[{\"op\":\"test\",\"path\":\"/a\",\"value\":1}]|{\"a\":1.0}",
                "{\"\":1}|[{\"op\":\"remove\",\"path\":\"/\"}]|{}",
                "{\"b\":1}|[{\"op\":\"remove\",\"path\":\"a/b\"}]|{}",
            })
    void jsonPatch_fits_isApplied(String document, String patch, String result) {
        assertThat(apply(Patch.Type.JSON, document, patch)).isEqualTo(JsonObject.parse(result));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "JSON|{'m':{'n':1,'l':'x'},'k':{'z':1,'y':1}}|[{'op':'replace','path':'/m/l','value':'x'}]|{'k':{'z':1,'y':1},'m':{'l':'x','n':1}}",
                "MERGE|{'s':{'z':1,'l':[{'b':1,'a':2}]},'k':{'z':1,'y':1}}|{'s':{'l':[]}}|{'k':{'z':1,'y':1},'s':{'l':[{'a':2,'b':1}],'z':1}}",
            })
    void text_sortsWhatThePatchVisits(Patch.Type type, String patched, String patch, String text) {
        assertThat(Patches.text(type, JsonObject.parse(quoted(patched)), JsonValue.parse(quoted(patch))))
                .isEqualTo(quoted(text));
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
                "{\"op\":\"jump\",\"path\":\"/a\"}",
                "{\"op\":\"remove\",\"path\":\"\"}",
                "{\"op\":\"remove\",\"path\":\"a\"}",
            })
    void jsonPatch_doesNotFit_isUnprocessable(String operation) {
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply(Patch.Type.JSON, "{\"a\":1,\"l\":[1,2]}", "[" + operation + "]"))
                .matches(e -> !e.isMalformed());
    }

    @Test
    void jsonPatch_copiesOfCopies_areRefusedBeforeTheyFillTheMemory() {
        String twice = "{\"op\":\"add\",\"path\":\"/b\",\"value\":{}},"
                + "{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b/l\"},{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b/r\"},"
                + "{\"op\":\"move\",\"from\":\"/b\",\"path\":\"/a\"}";
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply(Patch.Type.JSON, "{\"a\":{\"x\":1}}", list(twice, 60)))
                .withMessageContaining("copies")
                .matches(e -> !e.isMalformed());
    }

    @Test
    void jsonPatch_nestsTheDocument_isRefusedBeforeTheStackEnds() {
        String deeper =
                "{\"op\":\"add\",\"path\":\"/b\",\"value\":{}},{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/b/c\"},"
                        + "{\"op\":\"move\",\"from\":\"/b\",\"path\":\"/a\"}";
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply(Patch.Type.JSON, "{\"a\":{}}", list(deeper, 3000)))
                .withMessageContaining("nested deeper")
                .matches(e -> !e.isMalformed());
        assertThat(apply(Patch.Type.JSON, "{\"a\":{}}", list(deeper, 250))).isNotNull();
    }

    @Test
    void jsonPatch_movesUpAndDown_neverCountAsNesting() {
        String downAndUp =
                "{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/b/c/d\"},{\"op\":\"move\",\"from\":\"/b/c/d\",\"path\":\"/a\"}";
        String document = "{\"a\":{\"x\":[1]},\"b\":{\"c\":{}}}";
        assertThat(apply(Patch.Type.JSON, document, list(downAndUp, 1000))).isEqualTo(JsonObject.parse(document));
    }

    @Test
    void jsonPatch_tooManyOperations_isTooLarge() {
        String test = "{\"op\":\"test\",\"path\":\"/a\",\"value\":1}";
        assertThat(apply(Patch.Type.JSON, "{\"a\":1}", list(test, 10_000))).isEqualTo(JsonObject.parse("{\"a\":1}"));
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply(Patch.Type.JSON, "{\"a\":1}", list(test, 10_001)))
                .matches(e -> e.kind() == PatchException.Kind.TOO_LARGE);
    }

    private static String list(String operations, int times) {
        return "[" + (operations + ",").repeat(times - 1) + operations + "]";
    }

    @Test
    void jsonPatch_operationWithoutPath_isUnprocessable() {
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> apply(Patch.Type.JSON, "{}", "[{\"op\":\"add\"}]"))
                .matches(e -> e.kind() == PatchException.Kind.UNPROCESSABLE);
    }

    private static JsonObject apply(Patch.Type type, String document, String patch) {
        return Patches.apply(type, POD, JsonObject.parse(document), patch.getBytes(UTF_8));
    }

    /** As many operations as a patch may have, on large objects and lists, copy each of them once. */
    @Test
    @Timeout(10)
    void jsonPatch_ofManyOperations_isLinear() {
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
}
