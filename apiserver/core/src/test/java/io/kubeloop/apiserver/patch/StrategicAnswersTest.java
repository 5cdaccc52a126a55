/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.client.Patch;
import io.kubeloop.apiserver.typed.TypedJson;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** {@code e2e/record-schema.sh} records the patches in {@code vectors/strategic.json} from kube-apiserver. */
class StrategicAnswersTest {

    @TestFactory
    Stream<DynamicTest> patches() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(StrategicAnswersTest.class.getResourceAsStream("/vectors/strategic.json"))) {
            JsonArray cases = (JsonArray) JsonValue.parse(in);
            assertThat(cases.size()).isGreaterThan(30);
            return cases.objects()
                    .map(one -> DynamicTest.dynamicTest(
                            one.object("before").string("kind") + " " + one.get("patch"),
                            () -> assertThatResultIsTheSame(one)));
        }
    }

    private static void assertThatResultIsTheSame(JsonObject recorded) {
        JsonObject before = recorded.object("before");
        String apiVersion = before.string("apiVersion");
        String kind = before.string("kind");
        JsonObject merged = Patches.apply(
                Patch.Type.STRATEGIC_MERGE,
                MergeSchema.of(apiVersion, kind),
                before,
                recorded.object("patch").toBytes());
        StructSchema type = Objects.requireNonNull(TypeCatalog.kubernetes().type(apiVersion, kind));
        JsonObject ours = TypedJson.decode(type, merged).object().without("status");

        List<String> differences = new ArrayList<>();
        compare(ours, recorded.object("after"), "", differences);

        assertThat(differences).isEmpty();
    }

    /**
     * The server has added defaults to what the patch brought, so only what is ours must be there, and lists must be as
     * long.
     */
    private static void compare(JsonValue ours, @Nullable JsonValue theirs, String path, List<String> differences) {
        if (ours instanceof JsonObject object && theirs instanceof JsonObject other) {
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                compare(member.getValue(), other.get(member.getKey()), path + "." + member.getKey(), differences);
            }
            return;
        }
        if (ours instanceof JsonArray array && theirs instanceof JsonArray other && array.size() == other.size()) {
            for (int i = 0; i < array.size(); i++) {
                compare(array.get(i), other.get(i), path + "[" + i + "]", differences);
            }
            return;
        }
        if (!ours.equals(theirs)) {
            differences.add(path + ": " + ours + ", not " + theirs);
        }
    }
}
