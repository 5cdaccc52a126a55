/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.customresources.structural.SchemaFieldPath;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rules of selectable fields. Static functions only. */
final class SelectableFieldRules {

    private static final int MAX_FIELDS = 8;
    private static final Set<String> TYPES = Set.of("string", "boolean", "integer");

    private SelectableFieldRules() {}

    static void check(String path, JsonArray fields, SchemaProps schema, FieldErrors problems) {
        Set<String> found = new HashSet<>();
        List<JsonObject> all = fields.objects().toList();
        for (int i = 0; i < all.size(); i++) {
            check(path + "[" + i + "].jsonPath", all.get(i).string("jsonPath"), schema, found, problems);
        }
        if (found.size() > MAX_FIELDS) {
            problems.tooMany(path, found.size(), MAX_FIELDS);
        }
    }

    private static void check(
            String path, String jsonPath, SchemaProps schema, Set<String> found, FieldErrors problems) {
        if (jsonPath.isEmpty()) {
            problems.required(path, "");
            return;
        }
        SchemaFieldPath.Found field = SchemaFieldPath.find(jsonPath, schema, false);
        if (field.error() != null) {
            problems.invalid(path, jsonPath, "is an invalid path: " + field.error());
            return;
        }
        if (field.path().equals("metadata") || field.path().startsWith("metadata.")) {
            problems.invalid(path, jsonPath, "must not point to fields in metadata");
        }
        if (field.schema() == null || !TYPES.contains(field.schema().type())) {
            problems.invalid(
                    path,
                    jsonPath,
                    "must point to a field of type string, boolean or integer. Enum string fields and strings with"
                            + " formats are allowed.");
        }
        if (!found.add(field.path())) {
            problems.duplicate(path, new JsonString(jsonPath));
        }
    }
}
