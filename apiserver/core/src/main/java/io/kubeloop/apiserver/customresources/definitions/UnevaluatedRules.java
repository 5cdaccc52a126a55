/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.definitions.Crd.Version;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The warnings about CEL rules of a server without a compiler, which accepts rules without evaluating them. Static
 * functions only.
 */
final class UnevaluatedRules {

    private UnevaluatedRules() {}

    /** Returns one warning for each node of a schema with rules; none for those that the old definition has, too. */
    static List<String> warnings(JsonObject definition, @Nullable JsonObject old) {
        if (ExpressionCompiler.installed().isPresent()) {
            return List.of();
        }
        List<String> warnings = all(definition);
        if (old != null) {
            warnings.removeAll(all(old));
        }
        return warnings;
    }

    private static List<String> all(JsonObject definition) {
        List<String> warnings = new ArrayList<>();
        List<Version> versions = new Crd(definition).versions();
        for (int i = 0; i < versions.size(); i++) {
            collect(versions.get(i).schema(), "spec.versions[" + i + "].schema.openAPIV3Schema", warnings);
        }
        return warnings;
    }

    private static void collect(@Nullable SchemaProps schema, String path, List<String> warnings) {
        if (schema == null) {
            return;
        }
        if (!schema.rules().isEmpty()) {
            warnings.add("x-kubernetes-validations of " + path + ": not evaluated");
        }
        schema.properties()
                .forEach((name, property) -> collect(property, path + ".properties[" + name + "]", warnings));
        collect(schema.items(), path + ".items", warnings);
        SchemaProps.Additional additional = schema.additionalProperties();
        collect(additional == null ? null : additional.schema(), path + ".additionalProperties", warnings);
    }
}
