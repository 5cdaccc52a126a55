/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.cel;

import io.kubeloop.json.tree.JsonObject;

/** Reads structural schemas. Static functions only. */
final class CelSchemas {

    private static final JsonObject STRING = JsonObject.EMPTY.with("type", "string");
    private static final JsonObject NAMES =
            JsonObject.EMPTY.with("name", STRING).with("generateName", STRING);

    private CelSchemas() {}

    static boolean isIntOrString(JsonObject schema) {
        return schema.bool("x-kubernetes-int-or-string");
    }

    static boolean isNullable(JsonObject schema) {
        return schema.bool("nullable");
    }

    /** Returns the schema of an embedded object with its implicit properties; another schema as it is. */
    static JsonObject embedded(JsonObject schema) {
        return schema.bool("x-kubernetes-embedded-resource") ? withObjectMeta(schema) : schema;
    }

    /** Returns a schema in which kind, version and the names in the metadata are declared. */
    static JsonObject withObjectMeta(JsonObject schema) {
        JsonObject properties = schema.object("properties");
        boolean declared = properties.string("kind", "type").equals("string")
                && properties.string("apiVersion", "type").equals("string")
                && properties.string("metadata", "properties", "name", "type").equals("string")
                && properties
                        .string("metadata", "properties", "generateName", "type")
                        .equals("string");
        if (declared) {
            return schema;
        }
        JsonObject metadata = JsonObject.EMPTY.with("type", "object").with("properties", NAMES);
        return schema.with(
                "properties",
                properties.with("kind", STRING).with("apiVersion", STRING).with("metadata", metadata));
    }
}
