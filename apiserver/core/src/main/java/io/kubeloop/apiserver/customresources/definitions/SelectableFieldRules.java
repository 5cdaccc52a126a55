/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.customresources.structural.SchemaFieldPath;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import java.util.HashSet;
import java.util.Set;

/** The rules of selectable fields. Static functions only. */
final class SelectableFieldRules {

    private static final int MAX_FIELDS = 8;
    private static final Set<String> TYPES = Set.of("string", "boolean", "integer");

    private SelectableFieldRules() {}

    static void check(FieldCursor fields, SchemaProps schema) {
        Set<String> found = new HashSet<>();
        fields.each(field -> check(field.at("jsonPath"), schema, found));
        if (found.size() > MAX_FIELDS) {
            fields.errors().tooMany(fields.path(), found.size(), MAX_FIELDS);
        }
    }

    private static void check(FieldCursor jsonPath, SchemaProps schema, Set<String> found) {
        if (!jsonPath.require()) {
            return;
        }
        SchemaFieldPath.Found field = SchemaFieldPath.find(jsonPath.text(), schema, false);
        if (field.error() != null) {
            jsonPath.invalid("is an invalid path: " + field.error());
            return;
        }
        if (field.path().equals("metadata") || field.path().startsWith("metadata.")) {
            jsonPath.invalid("must not point to fields in metadata");
        }
        if (field.schema() == null || !TYPES.contains(field.schema().type())) {
            jsonPath.invalid("must point to a field of type string, boolean or integer. Enum string fields and strings"
                    + " with formats are allowed.");
        }
        if (!found.add(field.path())) {
            jsonPath.duplicate();
        }
    }
}
