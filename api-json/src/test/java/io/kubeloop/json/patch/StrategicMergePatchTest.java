/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrategicMergePatchTest {

    private static final MergeSchema POD = MergeSchema.of("v1", "Pod");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // the patch's order wins, server-only elements keep their place before what followed them
                "[{name:a},{name:s},{name:b}]|[{name:b,image:2}]|[{name:b},{name:a}]|[{name:s},{name:b,image:2},{name:a}]",
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
        assertThat(StrategicMergePatch.apply(POD, document, change)).isEqualTo(containers(json(after)));
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
    void apply_deletionFromASetThatIsNotThere_becomesTheSet() {
        assertThat(apply("{metadata:{}}", "{metadata:{$deleteFromPrimitiveList/finalizers:[a]}}"))
                .isEqualTo(json("{metadata:{finalizers:[a]}}"));
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
    void create_equalKeysInAList_pairedFromTheEnd() {
        MergeSchema service = MergeSchema.of("v1", "Service");
        JsonObject from = (JsonObject) json("{spec:{ports:[{port:53,name:tcp}]}}");
        JsonObject to = (JsonObject) json("{spec:{ports:[{port:53,name:tcp},{port:53,name:udp}]}}");
        assertThat(StrategicMergePatch.create(service, from, to))
                .isEqualTo(json("{spec:{$setElementOrder/ports:[{port:53},{port:53}],"
                        + "ports:[{name:udp,port:53},{port:53,name:tcp}]}}"));
    }

    @Test
    void apply_unknownKind_replacesLists() {
        MergeSchema none = MergeSchema.of("example.com/v1", "Widget");
        assertThat(StrategicMergePatch.apply(none, (JsonObject) json("{spec:{containers:[{name:a}]}}"), (JsonObject)
                        json("{spec:{containers:[{name:b}]}}")))
                .isEqualTo(json("{spec:{containers:[{name:b}]}}"));
    }

    @Test
    void create_deploymentStrategyChanged_retainsOnlyWhatIsWanted() {
        MergeSchema deployment = MergeSchema.of("apps/v1", "Deployment");
        JsonObject from = (JsonObject) json("{spec:{strategy:{type:RollingUpdate,rollingUpdate:{maxSurge:1}}}}");
        JsonObject to = (JsonObject) json("{spec:{strategy:{type:Recreate}}}");
        JsonObject patch = StrategicMergePatch.create(deployment, from, to);
        assertThat(patch).isEqualTo(json("{spec:{strategy:{type:Recreate,rollingUpdate:null,$retainKeys:[type]}}}"));
        assertThat(StrategicMergePatch.apply(deployment, from, patch)).isEqualTo(to);
    }

    @Test
    void create_thenApply_givesTheWantedDocument() {
        Random random = new Random(20261120);
        for (int round = 0; round < 2_000; round++) {
            JsonObject from = randomPod(random);
            JsonObject to = randomPod(random);
            JsonObject patch = StrategicMergePatch.create(POD, from, to);
            JsonObject result = StrategicMergePatch.apply(POD, from, patch);
            assertThat(withoutEmptyLists(result))
                    .as("round %d: %s to %s by %s", round, from, to, patch)
                    .isEqualTo(withoutEmptyLists(to));
        }
    }

    private static JsonObject randomPod(Random random) {
        List<JsonValue> containers = new ArrayList<>();
        for (String name : shuffled(random, "a", "b", "c", "d")) {
            JsonObject container = JsonObject.EMPTY.with("name", name).with("image", random.nextInt(2));
            List<JsonValue> env = new ArrayList<>();
            for (String key : shuffled(random, "X", "Y")) {
                env.add(JsonObject.EMPTY.with("name", key).with("value", random.nextInt(3)));
            }
            containers.add(container
                    .with("env", JsonArray.of(env))
                    .with("args", JsonArray.ofStrings(shuffled(random, "1", "2"))));
        }
        JsonObject labels = JsonObject.EMPTY;
        for (String label : shuffled(random, "l", "m", "n")) {
            labels = labels.with(label, new JsonNumber(String.valueOf(random.nextInt(3))));
        }
        List<String> finalizers = new ArrayList<>(shuffled(random, "f", "g", "h"));
        Collections.sort(finalizers);
        return JsonObject.EMPTY
                .with("metadata", JsonObject.of("labels", labels).with("finalizers", JsonArray.ofStrings(finalizers)))
                .with("spec", JsonObject.of("containers", JsonArray.of(containers)));
    }

    private static List<String> shuffled(Random random, String... names) {
        List<String> chosen = new ArrayList<>(List.of(names));
        Collections.shuffle(chosen, random);
        return chosen.subList(0, random.nextInt(names.length + 1));
    }

    /** An emptied list and an absent one are the same to the server. */
    private static JsonValue withoutEmptyLists(JsonValue value) {
        if (value instanceof JsonObject object) {
            JsonObject.Builder result = JsonObject.builder();
            object.members().forEach((name, member) -> {
                if (!JsonArray.EMPTY.equals(member)) {
                    result.put(name, withoutEmptyLists(member));
                }
            });
            return result.build();
        }
        return value instanceof JsonArray array
                ? JsonArray.of(array.elements().stream()
                        .map(StrategicMergePatchTest::withoutEmptyLists)
                        .toList())
                : value;
    }

    private static JsonObject containers(JsonValue list) {
        return JsonObject.of("spec", JsonObject.of("containers", list));
    }

    private static JsonObject apply(String document, String patch) {
        return StrategicMergePatch.apply(POD, (JsonObject) json(document), (JsonObject) json(patch));
    }

    /** JSON without the quotes: every bare word is a string but {@code null}. */
    static JsonValue json(String text) {
        String quoted = text.replaceAll("([$/\\w]+)", "\"$1\"").replace("\"null\"", "null");
        JsonValue value = JsonValue.parse(quoted);
        return value.equals(new JsonString(text)) ? new JsonString(text) : value;
    }
}
