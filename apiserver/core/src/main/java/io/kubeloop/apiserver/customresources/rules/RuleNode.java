/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.rules;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The compiled rules of a schema and of the schemas below it (upstream: {@code cel.Validator}). Immutable; thread-safe.
 *
 * @param schema the schema
 * @param rules its own rules
 * @param properties the properties that have rules, or have them further below
 * @param items the rules of the elements of a list; null if there are none
 * @param additional the rules of the values of a map; null if there are none
 */
record RuleNode(
        SchemaProps schema,
        List<CompiledRule> rules,
        Map<String, RuleNode> properties,
        @Nullable RuleNode items,
        @Nullable RuleNode additional) {

    /**
     * Compiles the rules of a schema.
     *
     * @param resource whether the values are objects with kind, version and metadata
     * @return the compiled rules; null if there are none, or if expressions cannot use the values
     */
    static @Nullable RuleNode of(ExpressionCompiler compiler, @Nullable SchemaProps schema, boolean resource) {
        if (schema == null || !schema.has(node -> !node.rules().isEmpty())) {
            return null;
        }
        Optional<ExpressionCompiler.Type> type = compiler.of(schema.source(), resource);
        if (type.isEmpty()) {
            return null;
        }
        List<CompiledRule> rules = schema.rules()
                .objects()
                .map(rule -> CompiledRule.of(compiler, schema, type.get(), rule))
                .toList();
        Map<String, RuleNode> properties = new LinkedHashMap<>();
        schema.properties().forEach((name, property) -> {
            RuleNode below = of(compiler, property, property.embedded());
            if (below != null) {
                properties.put(name, below);
            }
        });
        SchemaProps.Additional additional = schema.additionalProperties();
        return new RuleNode(
                schema,
                rules,
                Map.copyOf(properties),
                below(compiler, schema.items()),
                below(compiler, additional == null ? null : additional.schema()));
    }

    private static @Nullable RuleNode below(ExpressionCompiler compiler, @Nullable SchemaProps schema) {
        return of(compiler, schema, schema != null && schema.embedded());
    }
}
