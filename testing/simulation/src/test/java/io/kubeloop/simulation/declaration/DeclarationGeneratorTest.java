/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation.declaration;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeclarationGeneratorTest {

    private static final JsonObject SCHEMA = JsonObject.parse("""
            {"type": "object", "properties": {"spec": {"type": "object", "required": ["image"], "properties": {
              "image": {"type": "string"},
              "replicas": {"type": "integer", "minimum": 1, "maximum": 5},
              "policy": {"type": "string", "enum": ["Keep", "Delete"]},
              "memory": {"type": "string"},
              "paused": {"type": "boolean"},
              "ports": {"type": "array", "items": {"type": "object", "properties": {"port": {"type": "integer"}}}}
            }}}}
            """);

    private static final JsonObject BASE = JsonObject.parse("""
            {"kind": "Site", "spec": {"image": "a", "replicas": 2, "policy": "Keep", "memory": "2",
              "ports": [{"port": 80}, {"port": 81}]}}
            """);

    @Test
    void variants_coverTheSchema() {
        List<String> names = DeclarationGenerator.generate(SCHEMA, BASE).stream()
                .map(Declaration::name)
                .toList();
        assertThat(names)
                .contains(
                        ".spec.image absent, though required",
                        ".spec.image another text",
                        ".spec.replicas absent",
                        ".spec.replicas minimum 1",
                        ".spec.replicas below the minimum",
                        ".spec.replicas maximum 5",
                        ".spec.replicas above the maximum",
                        ".spec.replicas one more",
                        ".spec.policy value \"Delete\"",
                        ".spec.policy not among the values",
                        ".spec.memory the same amount, written 2000m",
                        ".spec.paused set to true",
                        ".spec.ports empty",
                        ".spec.ports without the last element",
                        ".spec.ports in reverse",
                        ".spec.ports.0.port one more",
                        ".spec.kubeloopUnknown unknown property")
                .doesNotHaveDuplicates()
                .doesNotContain(".spec.policy value \"Keep\"");
    }

    @Test
    void variant_changesOnePlace() {
        Declaration declaration = DeclarationGenerator.generate(SCHEMA, BASE).stream()
                .filter(each -> each.name().equals(".spec.ports.0.port one more"))
                .findFirst()
                .orElseThrow();
        assertThat(declaration.object())
                .isEqualTo(BASE.with(
                        List.of("spec"),
                        BASE.object("spec")
                                .with(
                                        "ports",
                                        JsonObject.parse("{\"a\":[{\"port\":81},{\"port\":81}]}")
                                                .array("a"))));
    }
}
