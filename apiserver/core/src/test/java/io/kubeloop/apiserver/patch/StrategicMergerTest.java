/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.Patch;
import io.kubeloop.json.patch.PatchException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrategicMergerTest {

    private static final MergeSchema POD = MergeSchema.of("v1", "Pod");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // the patch's order wins, server-only elements keep their place before what followed them
                "[{name:a},{name:s},{name:b}]|[{name:b,image:2}]|[{name:b},{name:a}]|[{name:s},{name:b,image:2},"
                        + "{name:a}]",
                "[{name:s},{name:a},{name:b}]|[]|[{name:b},{name:a}]|[{name:s},{name:b},{name:a}]",
                // deletion together with an order
                "[{name:a},{name:b}]|[{name:c},{$patch:delete,name:a}]|[{name:c},{name:b}]|[{name:c},{name:b}]",
                // an order that names nothing
                "[{name:s}]|[{name:x},{name:y}]|[]|[{name:s},{name:y},{name:x}]",
                "[{name:b},{name:a}]|[{name:x},{name:b,image:2}]|[]|[{name:b,image:2},{name:a},{name:x}]",
                // nothing there yet
                "[]|[{name:x},{name:y}]|[{name:x},{name:y}]|[{name:x},{name:y}]",
            })
    void apply_withElementOrder_sortsAsKubectlAsks(String before, String patch, String order, String after) {
        JsonObject document = containers(json(before));
        JsonObject change = JsonObject.of(
                "spec",
                JsonObject.builder()
                        .put("$setElementOrder/containers", json(order))
                        .put("containers", json(patch))
                        .build());
        assertThat(Patches.apply(Patch.Type.STRATEGIC_MERGE, POD, document, change))
                .isEqualTo(containers(json(after)));
    }

    @Test
    void apply_replaceElementOfAList_replacesTheWholeList() {
        assertThat(apply("{spec:{containers:[{name:a},{name:b}]}}", "{spec:{containers:[{$patch:replace},{name:c}]}}"))
                .isEqualTo(json("{spec:{containers:[{name:c}]}}"));
    }

    @Test
    void apply_deleteDirectiveInAnObject_emptiesIt() {
        assertThat(apply("{spec:{securityContext:{runAsUser:1}}}", "{spec:{securityContext:{$patch:delete}}}"))
                .isEqualTo(json("{spec:{securityContext:{}}}"));
    }

    @Test
    void apply_retainKeys_clearsTheOtherAlternatives() {
        assertThat(apply(
                        "{spec:{volumes:[{name:v,emptyDir:{}}]}}",
                        "{spec:{volumes:[{name:v,$retainKeys:[name,hostPath],hostPath:{path:/}}]}}"))
                .isEqualTo(json("{spec:{volumes:[{name:v,hostPath:{path:/}}]}}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{spec:{volumes:[{name:v,$retainKeys:[name],hostPath:{}}]}}",
                "{spec:{volumes:[{name:v,$retainKeys:name}]}}",
                "{spec:{$patch:merge}}",
                "{spec:{containers:[{$patch:merge,name:a}]}}",
                "{spec:{containers:[{$patch:delete}]}}",
                "{spec:{containers:[x]}}",
                "{spec:{containers:[[]]}}",
                "{spec:{$setElementOrder/containers:{},containers:[]}}",
                "{spec:{$setElementOrder:[],containers:[]}}",
                "{spec:{$setElementOrder/containers:[{name:b},{name:a}],containers:[{name:a},{name:b}]}}",
                "{metadata:{$deleteFromPrimitiveList:[a]}}",
            })
    void apply_badDirective_isRefused(String patch) {
        assertThatThrownBy(() -> apply(
                        "{metadata:{finalizers:[a]},spec:{containers:[{name:a}],volumes:[{name:v,emptyDir:{}}]}}",
                        patch))
                .isInstanceOf(PatchException.class);
    }

    @Test
    void apply_orderOfAnEmptyList_refused() {
        assertThatThrownBy(() -> apply(
                        "{spec:{containers:[]}}", "{spec:{$setElementOrder/containers:[{name:a}],containers:[]}}"))
                .isInstanceOf(PatchException.class);
    }

    @Test
    void apply_orderWithAnElementWithoutKey_refused() {
        assertThatThrownBy(() ->
                        apply("{spec:{containers:[{name:a}]}}", "{spec:{$setElementOrder/containers:[{image:a}]}}"))
                .isInstanceOf(PatchException.class);
    }

    @Test
    void apply_replacedListWithAnElementWithoutKey_refused() {
        assertThatThrownBy(() ->
                        apply("{spec:{containers:[{name:a}]}}", "{spec:{containers:[{$patch:replace},{image:b}]}}"))
                .isInstanceOf(PatchException.class);
    }

    @Test
    void apply_unknownKind_replacesLists() {
        MergeSchema none = MergeSchema.of("example.com/v1", "Widget");
        assertThat(Patches.apply(
                        Patch.Type.STRATEGIC_MERGE,
                        none,
                        (JsonObject) json("{spec:{containers:[{name:a}]}}"),
                        (JsonObject) json("{spec:{containers:[{name:b}]}}")))
                .isEqualTo(json("{spec:{containers:[{name:b}]}}"));
    }

    private static JsonObject containers(JsonValue list) {
        return JsonObject.of("spec", JsonObject.of("containers", list));
    }

    private static JsonObject apply(String document, String patch) {
        return Patches.apply(Patch.Type.STRATEGIC_MERGE, POD, (JsonObject) json(document), (JsonObject) json(patch));
    }

    /** JSON without the quotes: every bare word is a string but {@code null}. */
    static JsonValue json(String text) {
        String quoted = text.replaceAll("([$/\\w]+)", "\"$1\"").replace("\"null\"", "null");
        JsonValue value = JsonValue.parse(quoted);
        return value.equals(new JsonString(text)) ? new JsonString(text) : value;
    }
}
