/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controller.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.json.JsonCodec;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Compares texts and hashes with those of Kubernetes' own functions, recorded by {@code e2e/record-pod-template.sh}.
 */
class PodTemplateHashTest {

    private static List<JsonObject> vectors() throws IOException {
        try (InputStream in =
                PodTemplateHashTest.class.getResourceAsStream("/vectors/pod-template-hash-current.json")) {
            byte[] bytes = Objects.requireNonNull(in).readAllBytes();
            JsonValue list = JsonObject.parse(concat("{\"list\":", bytes, "}")).get("list");
            return ((JsonArray) Objects.requireNonNull(list)).objects().toList();
        }
    }

    private static byte[] concat(String head, byte[] middle, String tail) {
        return (head + new String(middle, StandardCharsets.UTF_8) + tail).getBytes(StandardCharsets.UTF_8);
    }

    private static Integer collisions(JsonObject vector) {
        Long count = vector.number("collisionCount");
        return count == null ? null : Integer.valueOf(count.intValue());
    }

    @TestFactory
    Stream<DynamicTest> template_hashesAsUpstream() throws IOException {
        List<JsonObject> vectors = vectors();
        assertThat(vectors).hasSizeGreaterThan(30);
        return vectors.stream()
                .map(vector -> DynamicTest.dynamicTest(vector.string("name"), () -> {
                    JsonObject template = vector.object("template");
                    assertThat(DeepHashPrinter.podTemplate(template)).isEqualTo(vector.string("text"));
                    assertThat(PodTemplateHash.ofTree(template, collisions(vector)))
                            .isEqualTo(vector.string("hash"));
                }));
    }

    /** The record of a template must lose nothing that the hash covers. */
    @TestFactory
    Stream<DynamicTest> templateAsRecord_hashesAsUpstream() throws IOException {
        return vectors().stream()
                .map(vector -> DynamicTest.dynamicTest(vector.string("name"), () -> {
                    JsonObject owner = JsonObject.EMPTY
                            .with("kind", "ReplicaSet")
                            .with("apiVersion", "apps/v1")
                            .with("spec", JsonObject.EMPTY.with("template", vector.object("template")));
                    var template = JsonCodec.standard()
                            .decode(ResourceTypes.REPLICA_SETS, new ByteArrayInputStream(owner.toBytes()))
                            .spec()
                            .template();
                    assertThat(PodTemplateHash.of(template, collisions(vector))).isEqualTo(vector.string("hash"));
                }));
    }
}
