/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.json.schema.StructSchema;
import io.kubeloop.json.schema.StructSchema.Field;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.schema.TypeSchema;
import io.kubeloop.json.schema.TypeSchema.ListOf;
import io.kubeloop.json.schema.TypeSchema.ListType;
import io.kubeloop.json.schema.TypeSchema.MapOf;
import io.kubeloop.json.schema.TypeSchema.Scalar;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The definitions of one document: those that its operations refer to, and the definitions that these refer to in turn.
 * Confined to one thread.
 */
final class Schemas {

    private static final TypeCatalog CATALOG = TypeCatalog.kubernetes();
    private static final String EXTENSION = "x-kubernetes-";

    /** The prefix of references in version 3. */
    static final String PREFIX_3 = "#/components/schemas/";

    /** The prefix of references in version 2. */
    static final String PREFIX_2 = "#/definitions/";

    /**
     * The types that are neither structs nor plain JSON types, such as quantities: by name, their definitions in v3 and
     * v2.
     */
    private static final Map<String, List<String>> SPECIAL = Map.ofEntries(
            same("v1.Time", Definitions.META + "Time", "{\"type\":\"string\",\"format\":\"date-time\"}"),
            same("v1.MicroTime", Definitions.META + "MicroTime", "{\"type\":\"string\",\"format\":\"date-time\"}"),
            same("v1.Duration", Definitions.META + "Duration", "{\"type\":\"string\"}"),
            same("v1.FieldsV1", Definitions.META + "FieldsV1", "{\"type\":\"object\"}"),
            same("v1.Patch", Definitions.PATCH, "{\"type\":\"object\"}"),
            same("runtime.RawExtension", "io.k8s.apimachinery.pkg.runtime.RawExtension", "{\"type\":\"object\"}"),
            Map.entry(
                    "resource.Quantity",
                    List.of(
                            "io.k8s.apimachinery.pkg.api.resource.Quantity",
                            "{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"number\"}]}",
                            "{\"type\":\"string\"}")),
            Map.entry(
                    "intstr.IntOrString",
                    List.of(
                            "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
                            "{\"format\":\"int-or-string\",\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}]}",
                            "{\"format\":\"int-or-string\",\"type\":\"string\"}")),
            extension("JSON"),
            extension("JSONSchemaPropsOrArray"),
            extension("JSONSchemaPropsOrBool"),
            extension("JSONSchemaPropsOrStringArray"));

    private static final Map<String, JsonObject> SPECIAL_3 = special(1);
    private static final Map<String, JsonObject> SPECIAL_2 = special(2);

    /** The types and kinds of the schema catalog, by their OpenAPI names. */
    private static final Map<String, StructSchema> TYPES = types();

    private static final Map<String, TypeCatalog.Kind> KINDS = kinds();

    private final boolean isVersion3;
    private final String prefix;

    /** The API versions of the kinds that belong to all of them, such as {@code DeleteOptions}. */
    private final List<String> groupVersions;

    private final Map<String, JsonObject> definitions = new TreeMap<>();
    private final Deque<String> pending = new ArrayDeque<>();
    private final Set<String> seen = new HashSet<>();

    Schemas(boolean isVersion3, List<String> groupVersions) {
        this.isVersion3 = isVersion3;
        this.prefix = isVersion3 ? PREFIX_3 : PREFIX_2;
        this.groupVersions = groupVersions;
    }

    private static Map.Entry<String, List<String>> same(String go, String name, String definition) {
        return Map.entry(go, List.of(name, definition, definition));
    }

    private static Map.Entry<String, List<String>> extension(String name) {
        String full = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1." + name;
        return same("v1." + name, full, "{}");
    }

    private static Map<String, JsonObject> special(int column) {
        Map<String, JsonObject> definitions = new HashMap<>();
        SPECIAL.values().forEach(row -> definitions.put(row.get(0), JsonObject.parse(row.get(column))));
        return definitions;
    }

    private static Map<String, StructSchema> types() {
        Map<String, StructSchema> types = new HashMap<>();
        for (String name : CATALOG.names()) {
            types.put(CATALOG.openApiName(name), Objects.requireNonNull(CATALOG.named(name)));
        }
        return types;
    }

    private static Map<String, TypeCatalog.Kind> kinds() {
        Map<String, TypeCatalog.Kind> kinds = new HashMap<>();
        for (TypeCatalog.Kind kind : CATALOG.kinds()) {
            StructSchema type = Objects.requireNonNull(CATALOG.type(kind.apiVersion(), kind.name()));
            kinds.put(type.name(), kind);
        }
        return kinds;
    }

    /** Returns a reference to a definition, and adds that definition to the document. */
    JsonObject reference(String name) {
        if (seen.add(name)) {
            pending.add(name);
        }
        return JsonObject.EMPTY.with("$ref", prefix + name);
    }

    /** Adds the definition of a kind that is not in the catalog. */
    void define(String name, JsonObject definition) {
        seen.add(name);
        definitions.put(name, definition);
    }

    /** Returns all definitions that were referred to, by name. */
    JsonObject all() {
        while (!pending.isEmpty()) {
            String name = pending.remove();
            JsonObject special = (isVersion3 ? SPECIAL_3 : SPECIAL_2).get(name);
            StructSchema type = TYPES.get(name);
            if (special == null && type == null) {
                throw new IllegalStateException("no definition of " + name);
            }
            if (!definitions.containsKey(name)) {
                definitions.put(name, special == null ? struct(Objects.requireNonNull(type)) : special);
            }
        }
        return JsonObject.of(definitions);
    }

    private JsonObject struct(StructSchema type) {
        JsonObject.Builder properties = JsonObject.builder();
        JsonObject.Builder definition = JsonObject.builder().put("type", "object");
        List<JsonValue> required = new ArrayList<>();
        for (Field field : new TreeMap<>(type.fields()).values()) {
            JsonObject property = property(field);
            String description = Descriptions.of(type.name(), field.name());
            properties.put(field.name(), description.isEmpty() ? property : described(property, description));
            if (field.required()) {
                required.add(new JsonString(field.name()));
            }
        }
        if (!required.isEmpty()) {
            definition.put("required", JsonArray.of(required));
        }
        if (!type.fields().isEmpty()) {
            definition.put("properties", properties.build());
        }
        if (type.atomic()) {
            definition.put(EXTENSION + "map-type", "atomic");
        }
        CATALOG.extensions(type.name()).members().forEach(definition::put);
        List<JsonObject> kinds = kindsOf(type);
        if (!kinds.isEmpty()) {
            definition.put(EXTENSION + "group-version-kind", JsonArray.of(kinds));
        }
        return definition.build();
    }

    /**
     * Adds a description to a property. OpenAPI v3 ignores the siblings of a reference, so the reference moves into
     * {@code allOf}.
     */
    static JsonObject described(JsonObject property, String description) {
        JsonObject inner = property.has("$ref") && property.string("$ref").startsWith(PREFIX_3)
                ? JsonObject.of("allOf", JsonArray.of(property))
                : property;
        return inner.with("description", description);
    }

    private List<JsonObject> kindsOf(StructSchema type) {
        String simple = type.name().substring(type.name().lastIndexOf('.') + 1);
        TypeCatalog.Kind kind = KINDS.get(type.name());
        if (kind != null) {
            return List.of(Naming.kind(kind.group(), kind.version(), kind.name()));
        }
        if (!type.name().startsWith("meta.v1.") || !CATALOG.optionKinds().contains(simple)) {
            return List.of();
        }
        return groupVersions.stream()
                .map(version -> {
                    int slash = version.indexOf('/');
                    return Naming.kind(
                            slash < 0 ? "" : version.substring(0, slash), version.substring(slash + 1), simple);
                })
                .toList();
    }

    private JsonObject property(Field field) {
        JsonObject schema = typed(field.type(), field.allowed(), field.initial());
        JsonObject.Builder extended = schema.toBuilder();
        boolean hasExtensions = false;
        if (!field.patch().mergeKey().isEmpty()) {
            extended.put(EXTENSION + "patch-merge-key", field.patch().mergeKey());
            hasExtensions = true;
        }
        if (!field.patch().strategies().isEmpty()) {
            extended.put(
                    EXTENSION + "patch-strategy", String.join(",", field.patch().strategies()));
            hasExtensions = true;
        }
        String mapType = mapType(field.type());
        if (!mapType.isEmpty()) {
            extended.put(EXTENSION + "map-type", mapType);
            hasExtensions = true;
        }
        JsonObject result = extended.build();
        return hasExtensions ? wrapped(result) : result;
    }

    /** Returns the map type that a field declares; empty if it equals that of the field's type. */
    private static String mapType(TypeSchema type) {
        if (type instanceof MapOf map) {
            return map.declared() ? map.atomic() ? "atomic" : "granular" : "";
        }
        if (type instanceof StructSchema struct) {
            StructSchema named = Objects.requireNonNull(CATALOG.named(struct.name()));
            return named.atomic() == struct.atomic() ? "" : struct.atomic() ? "atomic" : "granular";
        }
        return "";
    }

    /** Moves a reference into {@code allOf}, because OpenAPI v3 ignores its siblings. */
    private JsonObject wrapped(JsonObject schema) {
        JsonValue reference = schema.get("$ref");
        if (!isVersion3 || reference == null) {
            return schema;
        }
        return schema.without("$ref").with("allOf", JsonArray.of(JsonObject.of("$ref", reference)));
    }

    private JsonObject typed(TypeSchema type, List<String> allowed, @Nullable JsonValue initial) {
        JsonObject schema = plain(type, allowed);
        return initial == null || !isVersion3 ? schema : wrapped(schema.with("default", initial));
    }

    private JsonObject plain(TypeSchema type, List<String> allowed) {
        if (type instanceof StructSchema struct) {
            return reference(CATALOG.openApiName(struct.name()));
        }
        if (type instanceof ListOf list) {
            JsonObject.Builder schema =
                    JsonObject.builder().put("type", "array").put("items", plain(list.elements(), allowed));
            if (!list.keys().isEmpty()) {
                schema.put(EXTENSION + "list-map-keys", JsonArray.ofStrings(list.keys()));
            }
            if (list.declared()) {
                schema.put(EXTENSION + "list-type", listType(list.type()));
            }
            return schema.build();
        }
        if (type instanceof MapOf map) {
            return JsonObject.EMPTY.with("type", "object").with("additionalProperties", plain(map.values(), allowed));
        }
        if (type instanceof TypeSchema.Any any) {
            return any.name().isEmpty() ? JsonObject.EMPTY : special(any.name());
        }
        JsonObject schema = scalar((Scalar) type);
        return allowed.isEmpty() ? schema : schema.with("enum", JsonArray.ofStrings(allowed));
    }

    private JsonObject special(String go) {
        return reference(Objects.requireNonNull(SPECIAL.get(go), go).get(0));
    }

    private static String listType(ListType type) {
        return switch (type) {
            case ATOMIC -> "atomic";
            case SET -> "set";
            case MAP -> "map";
        };
    }

    private JsonObject scalar(Scalar type) {
        return switch (type) {
            case STRING -> JsonObject.EMPTY.with("type", "string");
            case BYTES -> formatted("string", "byte");
            case INT32 -> formatted("integer", "int32");
            case INT64 -> formatted("integer", "int64");
            case NUMBER -> formatted("number", "double");
            case BOOLEAN -> JsonObject.EMPTY.with("type", "boolean");
            case TIME -> special("v1.Time");
            case MICRO_TIME -> special("v1.MicroTime");
            case DURATION -> special("v1.Duration");
            case QUANTITY -> special("resource.Quantity");
            case INT_OR_STRING -> special("intstr.IntOrString");
        };
    }

    private static JsonObject formatted(String type, String format) {
        return JsonObject.EMPTY.with("type", type).with("format", format);
    }
}
