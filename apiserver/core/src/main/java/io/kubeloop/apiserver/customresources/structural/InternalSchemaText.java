/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A schema as upstream's error messages show it: with the Go names of all fields, set or not (upstream: the internal
 * {@code apiextensions.JSONSchemaProps}). Static functions only.
 */
public final class InternalSchemaText {

    /** The fields in Go's order: the Go name, the JSON name, and the form of an absent value. */
    private static final List<String> FIELDS = List.of(
            "ID id \"\"",
            "Schema $schema \"\"",
            "Ref $ref null",
            "Description description \"\"",
            "Type type \"\"",
            "Nullable nullable false",
            "Format format \"\"",
            "Title title \"\"",
            "Default default null",
            "Maximum maximum null",
            "ExclusiveMaximum exclusiveMaximum false",
            "Minimum minimum null",
            "ExclusiveMinimum exclusiveMinimum false",
            "MaxLength maxLength null",
            "MinLength minLength null",
            "Pattern pattern \"\"",
            "MaxItems maxItems null",
            "MinItems minItems null",
            "UniqueItems uniqueItems false",
            "MultipleOf multipleOf null",
            "Enum enum null",
            "MaxProperties maxProperties null",
            "MinProperties minProperties null",
            "Required required null",
            "Items items null",
            "AllOf allOf null",
            "OneOf oneOf null",
            "AnyOf anyOf null",
            "Not not null",
            "Properties properties null",
            "AdditionalProperties additionalProperties null",
            "PatternProperties patternProperties null",
            "Dependencies dependencies null",
            "AdditionalItems additionalItems null",
            "Definitions definitions null",
            "ExternalDocs externalDocs null",
            "Example example null",
            "XPreserveUnknownFields x-kubernetes-preserve-unknown-fields null",
            "XEmbeddedResource x-kubernetes-embedded-resource false",
            "XIntOrString x-kubernetes-int-or-string false",
            "XListMapKeys x-kubernetes-list-map-keys null",
            "XListType x-kubernetes-list-type null",
            "XMapType x-kubernetes-map-type null",
            "XValidations x-kubernetes-validations null");

    private InternalSchemaText() {}

    /** Returns the text of a schema. */
    public static String of(SchemaProps schema) {
        return tree(schema.source()).toString();
    }

    private static JsonObject tree(JsonObject schema) {
        JsonObject.Builder tree = JsonObject.builder();
        for (String field : FIELDS) {
            String[] parts = field.split(" ", -1);
            JsonValue value = value(parts[1], schema.get(parts[1]));
            tree.put(parts[0], value == null ? JsonValue.parse(parts[2]) : value);
        }
        return tree.build();
    }

    private static @Nullable JsonValue value(String name, @Nullable JsonValue value) {
        if (value == null || value == JsonNull.NULL) {
            return null;
        }
        return switch (name) {
            case "items", "additionalItems" -> orOther(name, value);
            case "additionalProperties" -> orOther(name, value);
            case "allOf", "oneOf", "anyOf" -> trees(value);
            case "not" -> value instanceof JsonObject schema ? tree(schema) : value;
            case "properties", "patternProperties", "definitions" -> members(value);
            case "x-kubernetes-validations" -> rules(value);
            default -> GoText.sorted(value);
        };
    }

    private static JsonValue orOther(String name, JsonValue value) {
        JsonValue schema = value instanceof JsonObject object ? tree(object) : JsonNull.NULL;
        if (name.equals("items")) {
            JsonValue many = value instanceof JsonArray ? trees(value) : JsonNull.NULL;
            return JsonObject.builder()
                    .put("Schema", schema)
                    .put("JSONSchemas", many)
                    .build();
        }
        boolean allows = value != JsonBoolean.FALSE;
        return JsonObject.builder().put("Allows", allows).put("Schema", schema).build();
    }

    private static JsonValue trees(JsonValue value) {
        return value instanceof JsonArray array
                ? JsonArray.of(array.objects().map(InternalSchemaText::tree).toList())
                : value;
    }

    private static JsonValue members(JsonValue value) {
        if (!(value instanceof JsonObject object)) {
            return value;
        }
        JsonObject.Builder members = JsonObject.builder();
        object.members().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
                .forEach(member -> members.put(
                        member.getKey(),
                        member.getValue() instanceof JsonObject schema ? tree(schema) : member.getValue()));
        return members.build();
    }

    private static JsonValue rules(JsonValue value) {
        return value instanceof JsonArray array
                ? JsonArray.of(array.objects().map(InternalSchemaText::rule).toList())
                : value;
    }

    /** Returns a CEL rule with the Go names of all fields. */
    static JsonObject rule(JsonObject rule) {
        return JsonObject.builder()
                .put("Rule", rule.string("rule"))
                .put("Message", rule.string("message"))
                .put("MessageExpression", rule.string("messageExpression"))
                .put("Reason", orNull(rule.get("reason")))
                .put("FieldPath", rule.string("fieldPath"))
                .put("OptionalOldSelf", orNull(rule.get("optionalOldSelf")))
                .build();
    }

    private static JsonValue orNull(@Nullable JsonValue value) {
        return value instanceof JsonString || value instanceof JsonBoolean ? value : JsonNull.NULL;
    }
}
