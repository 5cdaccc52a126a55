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

/**
 * The schema of a custom resource in the form of the built-in types, for server-side apply (upstream: {@code
 * structured-merge-diff/schema} of the published OpenAPI document). Static functions only.
 */
final class StructuralTypes {

    private static final TypeSchema ANY = new TypeSchema.Any();

    private StructuralTypes() {}

    /** Returns the type of the objects. */
    static StructSchema ofRoot(SchemaProps schema) {
        return struct(schema.asResource());
    }

    private static TypeSchema of(SchemaProps schema) {
        if (schema.embedded()) {
            return struct(schema);
        }
        if (schema.intOrString()) {
            return TypeSchema.Scalar.INT_OR_STRING;
        }
        return switch (schema.type()) {
            case "object" -> object(schema);
            case "array" -> list(schema);
            case "string" -> TypeSchema.Scalar.STRING;
            case "integer" -> schema.format().equals("int32") ? TypeSchema.Scalar.INT32 : TypeSchema.Scalar.INT64;
            case "number" -> TypeSchema.Scalar.NUMBER;
            case "boolean" -> TypeSchema.Scalar.BOOLEAN;
            default -> ANY;
        };
    }

    private static TypeSchema object(SchemaProps schema) {
        if (!schema.properties().isEmpty()) {
            return struct(schema);
        }
        String mapType = schema.mapType();
        boolean atomic = "atomic".equals(mapType);
        SchemaProps.Additional additional = schema.additionalProperties();
        if (additional != null && additional.schema() != null) {
            return new TypeSchema.MapOf(of(additional.schema()), atomic, mapType != null);
        }
        return atomic || additional != null ? new TypeSchema.MapOf(ANY, atomic, mapType != null) : ANY;
    }

    private static TypeSchema list(SchemaProps schema) {
        SchemaProps items = schema.items();
        if (items == null) {
            return ANY;
        }
        String declared = schema.listType();
        ListType type = "set".equals(declared) ? ListType.SET : "map".equals(declared) ? ListType.MAP : ListType.ATOMIC;
        return new TypeSchema.ListOf(of(items), type, schema.listMapKeys(), declared != null);
    }

    private static StructSchema struct(SchemaProps schema) {
        boolean atomic = "atomic".equals(schema.mapType());
        return new StructSchema("", atomic, schema.preservesUnknown() ? ANY : null, () -> fields(schema));
    }

    private static Map<String, Field> fields(SchemaProps schema) {
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
                                of(property),
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
