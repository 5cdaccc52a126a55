/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.Patch;
import io.kubeloop.json.patch.PatchException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PatchesTest {

    private static final MergeSchema POD = MergeSchema.of("v1", "Pod");

    @Test
    void strategicMerge_nullsAndDirectivesInNewValues_areLeftOut() {
        assertThat(apply(
                        Patch.Type.STRATEGIC_MERGE,
                        "{\"metadata\":{}}",
                        "{\"metadata\":{\"labels\":{\"a\":null,\"b\":\"1\"},"
                                + "\"ownerReferences\":[{\"$patch\":\"delete\",\"uid\":\"u\"}]},"
                                + "\"spec\":{\"$setElementOrder/containers\":[{\"name\":\"a\"}],"
                                + "\"containers\":[{\"name\":\"a\",\"image\":null}]}}"))
                .isEqualTo(JsonObject.parse("{\"metadata\":{\"labels\":{\"b\":\"1\"},\"ownerReferences\":[]},"
                        + "\"spec\":{\"containers\":[{\"name\":\"a\"}]}}"));
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
                        "{\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\"a\",\"image\":\"1\"},"
                                + "{\"name\":\"b\"}]}}",
                        "spec:\n  containers:\n  - name: a\n    image: \"2\"\n"))
                .isEqualTo(JsonObject.parse(
                        "{\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\"a\",\"image\":\"2\"},"
                                + "{\"name\":\"b\"}]}}"));
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
                "JSON|{'m':{'n':1,'l':'x'},'k':{'z':1,'y':1}}|[{'op':'replace','path':'/m/l','value':'x'}]|"
                        + "{'k':{'z':1,'y':1},'m':{'l':'x','n':1}}",
                "MERGE|{'s':{'z':1,'l':[{'b':1,'a':2}]},'k':{'z':1,'y':1}}|{'s':{'l':[]}}|{'k':{'z':1,'y':1},"
                        + "'s':{'l':[{'a':2,'b':1}],'z':1}}",
            })
    void text_sortsWhatThePatchVisits(Patch.Type type, String patched, String patch, String text) {
        assertThat(Patches.text(type, JsonObject.parse(quoted(patched)), JsonValue.parse(quoted(patch))))
                .isEqualTo(quoted(text));
    }

    private static JsonObject apply(Patch.Type type, String document, String patch) {
        return Patches.apply(type, POD, JsonObject.parse(document), patch.getBytes(UTF_8));
    }
}
