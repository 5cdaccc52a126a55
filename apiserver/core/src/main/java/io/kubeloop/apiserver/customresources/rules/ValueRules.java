/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.rules;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.customresources.values.Correlation;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one version of a custom resource, or of one default value. Rules are compiled when they are first
 * needed, once. Immutable; thread-safe.
 */
public final class ValueRules {

    private static final ValueRules NONE = new ValueRules(null, null, false);

    private final @Nullable ExpressionCompiler compiler;
    private final @Nullable SchemaProps schema;
    private final boolean resource;

    // Written once; threads that compile at the same time store equal trees.
    private volatile @Nullable RuleNode compiled;

    private ValueRules(@Nullable ExpressionCompiler compiler, @Nullable SchemaProps schema, boolean resource) {
        this.compiler = compiler;
        this.schema = schema;
        this.resource = resource;
    }

    /**
     * Returns the rules of a schema; none if no compiler is installed.
     *
     * @param resource whether the values are whole objects
     */
    public static ValueRules of(SchemaProps schema, boolean resource) {
        ExpressionCompiler installed = schema.has(node -> !node.rules().isEmpty())
                ? ExpressionCompiler.installed().orElse(null)
                : null;
        return installed == null ? NONE : new ValueRules(installed, schema, resource);
    }

    /** Returns whether there are no rules. */
    public boolean isEmpty() {
        return schema == null;
    }

    /**
     * Returns the violations of the rules by a value; those of unchanged parts are warnings.
     *
     * @param base the path of the value; empty for a whole object
     * @param old the value that it replaces; null if there is none
     * @param before the same as a correlation, if errors of unchanged parts become warnings; else null
     */
    public FieldErrors check(String base, JsonValue value, @Nullable JsonValue old, @Nullable Correlation before) {
        RuleNode root = root();
        if (root == null) {
            return new FieldErrors();
        }
        RuleCheck check = new RuleCheck();
        check.check(root, base, value, old, before);
        return check.result();
    }

    private @Nullable RuleNode root() {
        RuleNode known = compiled;
        if (known == null && compiler != null) {
            known = RuleNode.of(compiler, schema, resource);
            compiled = known;
        }
        return known;
    }
}
