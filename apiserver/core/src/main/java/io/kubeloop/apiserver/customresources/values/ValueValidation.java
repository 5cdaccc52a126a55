/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.values;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Validates values against a schema (upstream: {@code apiextensions-apiserver/pkg/apiserver/validation}). Static
 * functions only.
 */
public final class ValueValidation {

    private ValueValidation() {}

    /**
     * Returns the errors of a value.
     *
     * @param base the path of the value; empty for a whole object
     */
    public static FieldErrors validate(String base, SchemaProps schema, JsonValue value) {
        return SchemaCheck.check(schema, value, "", null).problems(base);
    }

    /**
     * Returns the errors of a changed value. Errors of unchanged parts are tolerated (upstream: {@code
     * CRDValidationRatcheting}).
     *
     * @param base the path of the value; empty for a whole object
     * @param old the value before; null if there was none
     */
    public static FieldErrors validateUpdate(
            String base, SchemaProps schema, JsonValue value, @Nullable JsonValue old) {
        return SchemaCheck.check(schema, value, "", new Correlation(schema, value, old))
                .problems(base);
    }
}
