/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.json.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.Vectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class PatchVectorsTest {

    @TestFactory
    Stream<DynamicTest> patches() {
        return Vectors.tests(PatchVectorsTest.class, "patches", PatchVectorsTest::check);
    }

    private static void check(Vectors.Case vector) {
        switch (String.valueOf(vector.input().get("kind"))) {
            case "mergeApply" ->
                expect(vector, "result", () -> MergePatch.apply(object(vector, "document"), object(vector, "patch")));
            case "mergeCreate" ->
                expect(vector, "patch", () -> MergePatch.create(object(vector, "from"), object(vector, "to")));
            case "jsonPatchApply" ->
                expect(
                        vector,
                        "result",
                        () -> JsonPatch.of(value(vector.input().get("patch"))).apply(object(vector, "document")));
            default -> throw new IllegalArgumentException("unknown kind of case: " + vector.input());
        }
    }

    private interface Computation {
        JsonValue run();
    }

    private static void expect(Vectors.Case vector, String member, Computation computation) {
        if (vector.expected().containsKey("error")) {
            ThrowingCallable run = computation::run;
            assertThatThrownBy(run).isInstanceOf(PatchException.class);
        } else {
            assertThat(computation.run()).isEqualTo(value(vector.expected().get(member)));
        }
    }

    private static JsonObject object(Vectors.Case vector, String member) {
        return (JsonObject) value(vector.input().get(member));
    }

    private static JsonValue value(Object plain) {
        return JsonValue.parse(Json.write(plain));
    }
}
