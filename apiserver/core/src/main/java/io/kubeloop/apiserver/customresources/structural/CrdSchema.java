/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Validates the schema of one version of a definition (upstream: {@code validateCustomResourceDefinitionValidation}).
 * Static functions only.
 */
public final class CrdSchema {

    private CrdSchema() {}

    /**
     * Returns the errors of a schema.
     *
     * @param path the path of the schema, such as {@code spec.versions[0].schema.openAPIV3Schema}
     * @param hasStatus whether the status is a subresource, which limits the root of the schema
     */
    public static FieldErrors validate(String path, SchemaProps schema, boolean hasStatus) {
        FieldErrors problems = new FieldErrors();
        if (hasStatus) {
            RootRules.check(path, schema, problems);
        }
        if (schema.nullable()) {
            problems.forbidden(path + ".nullable", "nullable cannot be true at the root");
        }
        String unsupported = UnsupportedFields.firstIn(schema);
        if (unsupported == null) {
            FieldErrors structural = StructuralRules.validate(path, schema);
            problems.addAll(structural.isEmpty() ? DefaultRules.validate(path, schema) : structural);
        }
        boolean compiles = problems.isEmpty() && unsupported == null;
        SchemaRules.validate(path, schema, compiles ? ExpressionCompiler.installed() : Optional.empty(), problems);
        if (problems.isEmpty() && unsupported != null) {
            problems.invalid(path, "", unsupported);
        }
        return problems;
    }

    /** Returns why a schema cannot be structural at all; null if it can. */
    public static @Nullable String unsupported(SchemaProps schema) {
        return UnsupportedFields.firstIn(schema);
    }
}
