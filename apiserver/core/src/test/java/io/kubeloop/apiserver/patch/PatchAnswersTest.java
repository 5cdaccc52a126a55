/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.kubeloop.api.client.Patch;
import io.kubeloop.json.patch.PatchException;
import io.kubeloop.json.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words in which kube-apiserver 1.37.2 refuses a patch. */
class PatchAnswersTest {

    private static final MergeSchema POD = MergeSchema.of("v1", "Pod");
    private static final String DOCUMENT = "{'kind':'Pod','metadata':{'name':'a','uid':'1','labels':{'z':'1','b':'2'}},"
            + "'spec':{'containers':[{'name':'c'}]}}";

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(UTF_8);
    }

    private static JsonObject document() {
        return JsonObject.parse(bytes(DOCUMENT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "MERGE           | true  | [] | error decoding patch: json: cannot unmarshal array into Go value of "
                        + "type map[string]interface {}",
                "MERGE           | true  | {  | invalid JSON patch",
                "MERGE           | false | {  | invalid JSON patch",
                "MERGE           | true  | null | Invalid JSON Patch",
                "STRATEGIC_MERGE | true  | [] | json: cannot unmarshal array into Go value of type "
                        + "map[string]interface {}",
                "STRATEGIC_MERGE | true  | {  | invalid JSON patch",
                "JSON            | true  | [1 | invalid JSON patch",
                "JSON            | true  | {} | error decoding patch: json: cannot unmarshal object into Go value of "
                        + "type []handlers.jsonPatchOp",
                "JSON            | true  | [1] | error decoding patch: json: cannot unmarshal number into Go value of "
                        + "type handlers.jsonPatchOp",
                "JSON            | true  | [{'op':1}] | error decoding patch: json: cannot unmarshal number into Go "
                        + "struct field jsonPatchOp.op of type string",
            })
    void malformedPatch_isRefusedInTheWordsOfGo(Patch.Type type, boolean strict, String patch, String message) {
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> Patches.read(type, bytes(patch), strict))
                .withMessage(message)
                .matches(e -> e.kind() == PatchException.Kind.MALFORMED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'$patch':'nothing'} | FAILED | unknown patch type: nothing in map: map[$patch:nothing]",
                "{'spec':{'containers':[{'$patch':'merge'}]}} | FAILED | merging lists cannot yet be specified in the "
                        + "patch",
                "{'spec':{'containers':[{'image':'i'}]}} | FAILED | map: map[image:i] does not contain declared merge "
                        + "key: name",
                "{'spec':{'containers':['x']}} | FAILED | list element types are not identical: [[map[name:c]] [x]]",
                "{'spec':{'$setElementOrder/containers':'x'}} | FAILED | expected a []interface {}, but received a "
                        + "string",
                "{'spec':{'$setElementOrder':[]}} | MALFORMED | invalid patch format of setElementOrder list",
                "{'metadata':{'$retainKeys':'x'}} | MALFORMED | invalid patch format of retainKeys",
                "{'metadata':{'$retainKeys':['name'],'uid':'2'}} | MALFORMED | invalid patch format of retainKeys",
                "{'metadata':{'$deleteFromPrimitiveList':[]}} | MALFORMED | invalid patch format of primitive list",
            })
    void strategicPatch_thatCannotBeMerged_isRefused(String patch, PatchException.Kind kind, String message) {
        assertThatExceptionOfType(PatchException.class)
                .isThrownBy(() -> Patches.apply(Patch.Type.STRATEGIC_MERGE, POD, document(), bytes(patch)))
                .withMessage(message)
                .matches(e -> e.kind() == kind);
    }

    @Test
    void strictErrors_nameTheOperationOfAJsonPatch() {
        Patches.Reading patch =
                Patches.read(Patch.Type.JSON, bytes("[{'op':'add','path':'/a','value':{'b':1,'b':2},'x':1}]"), true);
        assertThat(patch.strictErrors()).contains("json patch unknown field \"[0].x\"");
    }

    @Test
    void text_sortsTheObjectsThatTheOperationsHaveVisited() {
        assertThat(text(Patch.Type.JSON, "[{'op':'add','path':'/metadata/labels/c','value':'<'}]"))
                .isEqualTo("{'kind':'Pod','metadata':{'labels':{'b':'2','c':'\\u003c','z':'1'},'name':'a','uid':'1'},"
                        + "'spec':{'containers':[{'name':'c'}]}}");
        assertThat(text(Patch.Type.JSON, "[{'op':'add','path':'/metadata/name','value':'b'}]"))
                .startsWith("{'kind':'Pod','metadata':{'labels':{'z':'1','b':'2'},'name':'b','uid':'1'}");
    }

    @Test
    void text_ofAMergePatch_sortsTheObjectsThatItNames() {
        assertThat(text(Patch.Type.MERGE, "{'spec':{'x':1}}"))
                .isEqualTo("{'kind':'Pod','metadata':{'name':'a','uid':'1','labels':{'z':'1','b':'2'}},"
                        + "'spec':{'containers':[{'name':'c'}],'x':1}}");
    }

    @Test
    void text_ofAStrategicPatch_isThePatchAsGoFormatsIt() {
        assertThat(text(Patch.Type.STRATEGIC_MERGE, "{'metadata':{'labels':null},'a':[1,true,'x y']}"))
                .isEqualTo("map[a:[1 true x y] metadata:map[labels:<nil>]]");
    }

    private static String text(Patch.Type type, String json) {
        Patches.Reading patch = Patches.read(type, bytes(json), true);
        return Patches.text(type, Patches.apply(type, POD, document(), patch.patch()), patch.patch())
                .replace('"', '\'');
    }
}
