/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.rest.CustomSchema;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Builds the OpenAPI definitions of custom resources (upstream: {@code
 * apiextensions-apiserver/pkg/controller/openapi}). The document of version 2 omits the parts that kubectl's validation
 * of version 2 misinterprets. Confined to one thread.
 */
final class CustomDefinitions {

    private static final String EXTENSION = "x-kubernetes-";
    private static final String PRESERVE = EXTENSION + "preserve-unknown-fields";
    private static final String INT_OR_STRING = EXTENSION + "int-or-string";
    private static final String EMBEDDED = EXTENSION + "embedded-resource";

    /** The members of a JSON schema that a structural schema must not have. */
    private static final Set<String> DROPPED = Set.of("id", "$schema");

    private static final Set<String> JUNCTORS = Set.of("allOf", "oneOf", "anyOf", "not");
    private static final JsonArray INT_AND_STRING =
            JsonArray.of(JsonObject.EMPTY.with("type", "integer"), JsonObject.EMPTY.with("type", "string"));

    private final Schemas schemas;
    private final boolean isVersion3;

    private CustomDefinitions(Schemas schemas, boolean isVersion3) {
        this.schemas = schemas;
        this.isVersion3 = isVersion3;
    }

    /** Adds the definitions of a custom kind and of its list kind. */
    static void add(Schemas schemas, ResourceStore store, CustomSchema custom, boolean isVersion3) {
        CustomDefinitions definitions = new CustomDefinitions(schemas, isVersion3);
        String name = Definitions.ofKind(store);
        schemas.define(name, definitions.kind(store.type(), custom));
        schemas.define(Definitions.ofList(store), definitions.list(store.type(), custom, name));
    }

    private JsonObject kind(ResourceType<?> type, CustomSchema custom) {
        JsonObject schema = custom.schema();
        JsonObject definition;
        if (schema == null || (!isVersion3 && schema.bool(PRESERVE))) {
            // With properties, kubectl would reject all other fields.
            definition = JsonObject.EMPTY.with("type", "object");
        } else {
            JsonObject converted = converted(schema, true);
            JsonObject properties = withTypeMeta(converted.object("properties"))
                    .with("metadata", reference("ObjectMeta", Descriptions.METADATA));
            definition = converted.with("properties", properties);
        }
        return extended(definition, type, type.kind(), custom);
    }

    private JsonObject list(ResourceType<?> type, CustomSchema custom, String name) {
        JsonObject items = JsonObject.builder()
                .put("type", "array")
                .put("description", "List of " + type.plural() + ".")
                .put("items", schemas.reference(name))
                .build();
        JsonObject properties = withTypeMeta(JsonObject.of("items", items))
                .with("metadata", reference("ListMeta", Descriptions.LIST_METADATA));
        JsonObject definition = JsonObject.builder()
                .put("description", custom.listKind() + " is a list of " + type.kind())
                .put("type", "object")
                .put("required", JsonArray.ofStrings(List.of("items")))
                .put("properties", properties)
                .build();
        return extended(definition, type, custom.listKind(), custom);
    }

    private static JsonObject extended(JsonObject definition, ResourceType<?> type, String kind, CustomSchema custom) {
        JsonObject kinds = Naming.kind(type.group(), type.version(), kind);
        JsonObject extended = definition.with(EXTENSION + "group-version-kind", JsonArray.of(kinds));
        if (custom.selectableFields().isEmpty()) {
            return extended;
        }
        List<JsonObject> fields = custom.selectableFields().stream()
                .map(path -> JsonObject.EMPTY.with("fieldPath", path.startsWith(".") ? path.substring(1) : path))
                .toList();
        return extended.with(EXTENSION + "selectable-fields", JsonArray.of(fields));
    }

    private JsonObject withTypeMeta(JsonObject properties) {
        return properties.with("apiVersion", text(Descriptions.API_VERSION)).with("kind", text(Descriptions.KIND));
    }

    private static JsonObject text(String description) {
        return JsonObject.EMPTY.with("type", "string").with("description", description);
    }

    private JsonObject reference(String type, String description) {
        return Schemas.described(schemas.reference(Definitions.META + type), description);
    }

    /**
     * Converts a schema and the schemas in it, except the alternatives of {@code oneOf} and the like, which define no
     * structure.
     */
    private JsonObject converted(JsonObject schema, boolean isRoot) {
        JsonObject.Builder result = JsonObject.builder();
        for (Map.Entry<String, JsonValue> member : schema.members().entrySet()) {
            String name = member.getKey();
            JsonValue value = member.getValue();
            if (DROPPED.contains(name) || isFalseExtension(name, value)) {
                continue;
            }
            switch (name) {
                case "properties" -> result.put(name, convertedMembers(value));
                case "items", "additionalProperties" ->
                    result.put(name, value instanceof JsonObject inner ? converted(inner, false) : value);
                default -> result.put(name, value);
            }
        }
        JsonObject plain = isVersion3 ? withBothTypes(result.build()) : forVersion2(schema, result.build());
        return isRoot || !plain.bool(EMBEDDED) || (!isVersion3 && plain.bool(PRESERVE)) ? plain : embedded(plain);
    }

    private static boolean isFalseExtension(String name, JsonValue value) {
        return name.startsWith(EXTENSION) && value == JsonBoolean.FALSE;
    }

    private JsonObject convertedMembers(JsonValue properties) {
        JsonObject.Builder result = JsonObject.builder();
        if (properties instanceof JsonObject object) {
            object.members().forEach((name, value) -> {
                if (value instanceof JsonObject schema) {
                    result.put(name, converted(schema, false));
                }
            });
        }
        return result.build();
    }

    /** Adds the alternatives integer and string of an int-or-string, unless the schema has them. */
    private static JsonObject withBothTypes(JsonObject schema) {
        if (!schema.bool(INT_OR_STRING) || schema.array("anyOf").equals(INT_AND_STRING)) {
            return schema;
        }
        for (JsonObject one : schema.array("allOf").objects().toList()) {
            if (one.array("anyOf").equals(INT_AND_STRING)) {
                return schema;
            }
        }
        if (!schema.has("anyOf")) {
            return schema.with("anyOf", INT_AND_STRING);
        }
        List<JsonValue> all = new ArrayList<>(List.of(JsonObject.of("anyOf", INT_AND_STRING)));
        all.addAll(schema.array("allOf").elements());
        return schema.with("allOf", JsonArray.of(all));
    }

    private static JsonObject forVersion2(JsonObject original, JsonObject converted) {
        JsonObject result = converted.without("default");
        for (String junctor : JUNCTORS) {
            result = result.without(junctor);
        }
        boolean preserves = original.bool(PRESERVE);
        if (original.bool("nullable")) {
            result = result.without("nullable").without("type");
        }
        if (original.bool("nullable") || preserves) {
            result = result.without("items").without("properties");
        }
        boolean isArray = result.string("type").equals("array") && !result.has("items");
        boolean isOpen = result.string("type").equals("object") && preserves;
        if (isArray || isOpen) {
            result = result.without("type");
        }
        return withoutNullables(original, result);
    }

    private static JsonObject withoutNullables(JsonObject original, JsonObject result) {
        if (original.object("additionalProperties").bool("nullable")) {
            return result.without("required");
        }
        JsonArray required = result.array("required");
        List<JsonValue> left = new ArrayList<>();
        for (JsonValue name : required) {
            boolean isNullable = name instanceof JsonString text
                    && original.object("properties", text.value()).bool("nullable");
            if (!isNullable) {
                left.add(name);
            }
        }
        if (left.size() == required.size()) {
            return result;
        }
        return left.isEmpty() ? result.without("required") : result.with("required", JsonArray.of(left));
    }

    private JsonObject embedded(JsonObject schema) {
        JsonObject properties = withTypeMeta(schema.object("properties"))
                .with("metadata", reference("ObjectMeta", Descriptions.METADATA));
        List<JsonValue> required = new ArrayList<>(schema.array("required").elements());
        for (String name : List.of("kind", "apiVersion")) {
            if (!required.contains(new JsonString(name))) {
                required.add(new JsonString(name));
            }
        }
        return schema.with("properties", properties).with("required", JsonArray.of(required));
    }
}
