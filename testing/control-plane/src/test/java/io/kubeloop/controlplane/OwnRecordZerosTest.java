/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ObjectMeta;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.client.ResourceClient;
import io.kubeloop.json.JsonCodec;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A number of a user's record stays what it was set to, although the definition has a default for it. */
class OwnRecordZerosTest {

    private static final ObjectName NAME = new ObjectName("default", "knob");

    private static final ResourceType<Knob> KNOBS =
            new ResourceType<>("example.com", "v1", "knobs", "Knob", ResourceType.Scope.NAMESPACED, Knob.class);

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: knobs.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {kind: Knob, plural: knobs, singular: knob}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      spec:
                        type: object
                        properties:
                          level: {type: integer, default: 1}
                          limit: {type: integer, format: int64, default: 1}
                          on: {type: boolean, default: true}
                          boxed: {type: integer, default: 1}
                          parts:
                            type: array
                            items:
                              type: object
                              properties:
                                level: {type: integer, default: 1}
            """;

    record Knob(ObjectMeta metadata, Spec spec, UnknownFields unknownFields) implements KubeObject {

        record Spec(
                int level,
                long limit,
                boolean on,
                @Nullable Integer boxed,
                List<Part> parts,
                UnknownFields unknownFields) {}

        record Part(int level, UnknownFields unknownFields) {}

        static Knob of(int level, boolean on, @Nullable Integer boxed) {
            Part part = new Part(level, UnknownFields.NONE);
            Spec spec = new Spec(level, level, on, boxed, List.of(part), UnknownFields.NONE);
            return new Knob(ObjectMeta.named(NAME.namespace(), NAME.name()), spec, UnknownFields.NONE);
        }

        @Override
        public Knob withMetadata(ObjectMeta changed) {
            return new Knob(changed, spec, unknownFields);
        }
    }

    @Test
    void edit_toZero_isZeroOnTheServerAndNotTheDefault() {
        try (ControlPlane plane = ControlPlane.builder().controllers(List.of()).start()) {
            plane.apply("definition", new ByteArrayInputStream(DEFINITION.getBytes(StandardCharsets.UTF_8)));
            ResourceClient<Knob> knobs =
                    plane.client(JsonCodec.standard().with(KNOBS)).resource(KNOBS);
            knobs.create(Knob.of(3, true, 3));

            Knob.Spec spec = knobs.edit(NAME, knob -> Knob.of(0, false, 0).withMetadata(knob.metadata()))
                    .spec();

            assertThat(spec.level()).isZero();
            assertThat(spec.limit()).isZero();
            assertThat(spec.on()).isFalse();
            assertThat(spec.boxed()).isZero();
            assertThat(spec.parts()).extracting(Knob.Part::level).containsExactly(0);

            assertThat(knobs.edit(NAME, knob -> Knob.of(2, false, null).withMetadata(knob.metadata()))
                            .spec()
                            .boxed())
                    .as("an absent optional number is the default")
                    .isOne();
        }
    }
}
