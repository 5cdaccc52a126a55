/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kubeloop.api.client.Patch;
import io.kubeloop.json.patch.PatchException;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.testing.Json;
import io.kubeloop.testing.Vectors;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class StrategicVectorsTest {

    private static final Map<String, String> VERSIONS =
            Map.of("ReplicaSet", "apps/v1", "Deployment", "apps/v1", "Lease", "coordination.k8s.io/v1");

    @TestFactory
    Stream<DynamicTest> patches() {
        return Vectors.tests(StrategicVectorsTest.class, "strategic-merge", StrategicVectorsTest::check);
    }

    private static void check(Vectors.Case vector) {
        if (vector.expected().containsKey("error")) {
            assertThatThrownBy(() -> apply(vector)).isInstanceOf(PatchException.class);
        } else {
            assertThat(apply(vector)).isEqualTo(value(vector.expected().get("result")));
        }
    }

    private static JsonObject apply(Vectors.Case vector) {
        String type = String.valueOf(vector.input().get("type"));
        MergeSchema schema = MergeSchema.of(VERSIONS.getOrDefault(type, "v1"), type);
        JsonObject document = (JsonObject) value(vector.input().get("document"));
        return Patches.apply(
                Patch.Type.STRATEGIC_MERGE,
                schema,
                document,
                value(vector.input().get("patch")));
    }

    private static JsonValue value(Object plain) {
        return JsonValue.parse(Json.write(plain));
    }
}
