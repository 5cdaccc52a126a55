/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceType;
import io.kubeloop.api.ResourceTypes;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The usage of objects equals that of Kubernetes' evaluators; {@code e2e/record-quota.sh} records it. */
class UsageVectorsTest {

    private static final Map<String, ResourceType<?>> TYPES = Map.of(
            "pods",
            ResourceTypes.PODS,
            "services",
            ResourceTypes.SERVICES,
            "persistentvolumeclaims",
            ResourceTypes.PERSISTENT_VOLUME_CLAIMS,
            "resourceclaims.resource.k8s.io",
            ResourceTypes.generic(
                    "resource.k8s.io", "v1", "resourceclaims", "ResourceClaim", ResourceType.Scope.NAMESPACED));

    private static final JsonObject FILE = file();
    private static final Instant NOW = Instant.parse(FILE.string("now"));

    private static JsonObject file() {
        try (InputStream in = UsageVectorsTest.class.getResourceAsStream("/vectors/usage.json")) {
            return JsonObject.parse(Objects.requireNonNull(in).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The objects beside that of a vector. */
    private record Recorded(JsonObject vector) implements DeviceClaims.Source {

        @Override
        public Stream<JsonObject> classes() {
            return FILE.array("classes").objects();
        }

        @Override
        public Stream<JsonObject> claims() {
            return vector.array("claims").objects();
        }

        @Override
        public @Nullable JsonObject pod(String name) {
            JsonObject pod = vector.object("pod");
            return pod.string("metadata", "name").equals(name) ? pod : null;
        }
    }

    @TestFactory
    Stream<DynamicTest> usage_equalsUpstream() {
        List<JsonObject> vectors = FILE.array("vectors").objects().toList();
        assertThat(vectors).hasSizeGreaterThan(200);
        return IntStream.range(0, vectors.size())
                .mapToObj(i -> DynamicTest.dynamicTest(
                        vectors.get(i).string("resource") + " " + i, () -> check(vectors.get(i))));
    }

    private static void check(JsonObject vector) {
        ResourceType<?> type = Objects.requireNonNull(TYPES.get(vector.string("resource")));
        JsonObject object = vector.object("object");
        DeviceClaims devices = new DeviceClaims(new Recorded(vector));
        Amounts used = QuotaUsage.of(type, object, NOW, devices).only(name -> QuotaUsage.concerns(type, name, devices));
        assertThat(used.json().members())
                .as("usage of %s", object)
                .containsExactlyInAnyOrderEntriesOf(vector.object("usage").members());
        vector.array("scopes")
                .objects()
                .forEach(scoped -> assertThat(QuotaScopes.match(scoped.object("spec"), type, object))
                        .as("%s applies to %s", scoped.object("spec"), object)
                        .isEqualTo(scoped.bool("applies")));
    }
}
