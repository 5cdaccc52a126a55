/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources;

import io.kubeloop.apiserver.customresources.objects.ObjectMetaType;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.StructSchema.PatchStrategy;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.schema.TypeSchema.ListType;
import io.kubeloop.json.tree.JsonString;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a custom resource in the form of the built-in types, for server-side apply (upstream: {@code
 * structured-merge-diff/schema} of the published OpenAPI document). Static functions only.
 */
final class StructuralTypes {

    private static final TypeSchema ANY = new TypeSchema.Any();

    private StructuralTypes() {}

    /** Returns the type of the objects. */
    static StructSchema ofRoot(SchemaProps schema) {
        return struct(schema.asResource(), schema.preservesUnknown());
    }

    /**
     * Returns the type of a part.
     *
     * @param above whether a schema around the part keeps unknown members; as upstream, an apply then takes them in all
     *     parts
     */
    private static TypeSchema of(SchemaProps schema, boolean above) {
        boolean keeps = above || schema.preservesUnknown();
        if (schema.embedded()) {
            return struct(schema, keeps);
        }
        return switch (schema.type()) {
            case "object" -> object(schema, keeps);
            case "array" -> list(schema, keeps);
            case "string" ->
                schema.format().isEmpty() || schema.format().equals("byte")
                        ? TypeSchema.Scalar.STRING
                        : TypeSchema.Scalar.INT_OR_STRING; // upstream leaves the check of formats to the validation
            case "integer" -> schema.format().equals("int32") ? TypeSchema.Scalar.INT32 : TypeSchema.Scalar.INT64;
            case "number" -> TypeSchema.Scalar.NUMBER;
            case "boolean" -> TypeSchema.Scalar.BOOLEAN;
            default -> ANY;
        };
    }

    private static TypeSchema object(SchemaProps schema, boolean keeps) {
        String mapType = schema.mapType();
        TypeSchema others = others(schema, keeps);
        return schema.properties().isEmpty() && others != null
                ? new TypeSchema.MapOf(others, "atomic".equals(mapType), mapType != null)
                : struct(schema, keeps);
    }

    /** Returns the type of the members that are no properties; null if there are none. */
    private static @Nullable TypeSchema others(SchemaProps schema, boolean keeps) {
        SchemaProps.Additional additional = schema.additionalProperties();
        if (additional == null) {
            return keeps || (schema.properties().isEmpty() && !schema.embedded()) ? ANY : null;
        }
        return additional.schema() != null ? of(additional.schema(), keeps) : additional.allows() ? ANY : null;
    }

    private static TypeSchema list(SchemaProps schema, boolean keeps) {
        SchemaProps items = schema.items();
        if (items == null) {
            return ANY;
        }
        String declared = schema.listType();
        ListType type = "set".equals(declared) ? ListType.SET : "map".equals(declared) ? ListType.MAP : ListType.ATOMIC;
        return new TypeSchema.ListOf(of(items, keeps), type, schema.listMapKeys(), declared != null);
    }

    private static StructSchema struct(SchemaProps schema, boolean keeps) {
        boolean atomic = "atomic".equals(schema.mapType());
        return new StructSchema("", atomic, others(schema, keeps), () -> fields(schema, keeps));
    }

    private static Map<String, Field> fields(SchemaProps schema, boolean keeps) {
        Map<String, Field> fields = new LinkedHashMap<>();
        if (schema.embedded()) {
            for (String name : List.of("apiVersion", "kind")) {
                fields.put(name, field(name, TypeSchema.Scalar.STRING));
            }
            fields.put("metadata", field("metadata", ObjectMetaType.type()));
        }
        schema.properties()
                .forEach((name, property) -> fields.putIfAbsent(
                        name,
                        new Field(
                                name,
                                of(property, keeps),
                                schema.required().contains(name),
                                property.initial(),
                                allowed(property),
                                PatchStrategy.DEFAULT)));
        return fields;
    }

    private static Field field(String name, TypeSchema type) {
        return new Field(name, type, false, null, List.of(), PatchStrategy.DEFAULT);
    }

    private static List<String> allowed(SchemaProps property) {
        return property.allowed().stream()
                .filter(JsonString.class::isInstance)
                .map(value -> ((JsonString) value).value())
                .toList();
    }
}
