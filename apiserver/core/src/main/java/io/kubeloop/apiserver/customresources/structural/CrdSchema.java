/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects;
import io.kubeloop.apiserver.customresources.objects.EmbeddedObjects.MalformedObjectException;
import io.kubeloop.apiserver.customresources.objects.Pruning;
import io.kubeloop.apiserver.customresources.rules.ValueRules;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.customresources.values.ValueValidation;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.gotext.GoText;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
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

    /**
     * The rules of the root of a schema whose status is a subresource: the status is validated alone, so the root
     * must not have rules that need the other fields. Static functions only.
     */
    private static final class RootRules {

        private static final Set<String> ALLOWED = Set.of(
                "description",
                "type",
                "format",
                "title",
                "maximum",
                "exclusiveMaximum",
                "minimum",
                "exclusiveMinimum",
                "maxLength",
                "minLength",
                "pattern",
                "maxItems",
                "minItems",
                "uniqueItems",
                "multipleOf",
                "required",
                "items",
                "properties",
                "externalDocs",
                "example",
                "x-kubernetes-preserve-unknown-fields",
                "x-kubernetes-validations");

        private static final String NAMES = "[Description Type Format Title Maximum ExclusiveMaximum Minimum "
                + "ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required "
                + "Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]";

        /** The strings, booleans and values that are pointers in Go. */
        private static final Set<String> POINTERS = Set.of(
                "$ref",
                "additionalItems",
                "additionalProperties",
                "default",
                "x-kubernetes-list-type",
                "x-kubernetes-map-type");

        private RootRules() {}

        static void check(String path, SchemaProps schema, FieldErrors problems) {
            if (!schema.type().isEmpty() && !schema.type().equals("object")) {
                problems.invalid(
                        path + ".type",
                        schema.type(),
                        "only \"object\" is allowed as the type at the root of the schema if the status subresource is"
                                + " enabled");
                return;
            }
            boolean other = schema.source().members().entrySet().stream()
                    .anyMatch(member ->
                            !ALLOWED.contains(member.getKey()) && !isZero(member.getKey(), member.getValue()));
            if (other) {
                problems.invalidLiteral(
                        path,
                        InternalSchemaText.of(schema),
                        "only " + NAMES + " fields are allowed at the root of the schema if the status subresource is"
                                + " enabled");
            }
        }

        /** Empty lists and maps are not Go's zero values, and neither is a pointer to one. */
        private static boolean isZero(String name, JsonValue value) {
            boolean isZeroValue = value == JsonBoolean.FALSE
                    || (value instanceof JsonString text && text.value().isEmpty());
            return value == JsonNull.NULL || (isZeroValue && !POINTERS.contains(name));
        }
    }

    /**
     * The rules of default values: they satisfy the schema and have no unknown fields (upstream: {@code
     * defaulting.ValidateDefaults}). Used for one validation.
     */
    private static final class DefaultRules {

        private static final Set<String> META = Set.of("metadata", "apiVersion", "kind");

        private final FieldErrors problems = new FieldErrors();

        private DefaultRules() {}

        /**
         * The object around a default value.
         *
         * @param root the schema of the innermost embedded object
         * @param wrap returns that object with a value at the place of the default
         * @param insideMeta whether the default is inside of kind, version or metadata
         */
        private record Surroundings(SchemaProps root, UnaryOperator<JsonValue> wrap, boolean insideMeta) {}

        static FieldErrors validate(String path, SchemaProps schema) {
            DefaultRules rules = new DefaultRules();
            SchemaProps root = schema.asResource();
            rules.check(root, path, new Surroundings(root, UnaryOperator.identity(), false));
            return rules.problems;
        }

        private void check(SchemaProps schema, String path, Surroundings outer) {
            Surroundings around = schema.embedded() ? new Surroundings(schema, UnaryOperator.identity(), false) : outer;
            JsonValue initial = schema.initial();
            if (initial != null) {
                if (around.insideMeta()) {
                    checkInMetadata(schema, initial, path + ".default", around);
                } else {
                    checkValue(schema, initial, path + ".default");
                }
            }
            SchemaProps items = schema.items();
            if (items != null) {
                UnaryOperator<JsonValue> wrap = value -> around.wrap().apply(JsonArray.of(value));
                check(items, path + ".items", new Surroundings(around.root(), wrap, around.insideMeta()));
            }
            schema.properties().forEach((name, property) -> {
                boolean meta = around.insideMeta() || (schema.embedded() && META.contains(name));
                UnaryOperator<JsonValue> wrap = value -> around.wrap().apply(JsonObject.of(name, value));
                check(property, path + ".properties[" + name + "]", new Surroundings(around.root(), wrap, meta));
            });
        }

        private void checkValue(SchemaProps schema, JsonValue value, String path) {
            if (!Pruning.prune(value, schema).equals(value)) {
                problems.invalid(path, GoText.untyped(value), "must not have unknown fields");
            }
            try {
                var unused = EmbeddedObjects.coerce(path, value, schema, false, new ArrayList<>());
            } catch (MalformedObjectException e) {
                problems.add(e.problem());
                return;
            }
            FieldErrors metadata = EmbeddedObjects.validate(path, value, schema);
            if (metadata.isEmpty()) {
                checkValid(schema, value, path);
            } else {
                problems.addAll(metadata);
            }
        }

        /** The default satisfies the rules both as a value that stays and as a new one. */
        private void checkValid(SchemaProps schema, JsonValue value, String path) {
            FieldErrors found = ValueValidation.validate(path, schema, value);
            ValueRules rules = ValueRules.of(schema, schema.embedded());
            if (found.isEmpty() && !rules.isEmpty()) {
                found = rules.check(path, value, value, null);
                found = found.isEmpty() ? rules.check(path, value, null, null) : found;
            }
            problems.addAll(found);
        }

        private void checkInMetadata(SchemaProps schema, JsonValue value, String path, Surroundings around) {
            JsonObject object = (JsonObject) around.wrap().apply(value);
            JsonObject typed = object.has("kind") ? object : object.with("kind", "Validation");
            typed = typed.has("apiVersion") ? typed : typed.with("apiVersion", "validation/v1");
            String invalid = "must result in valid metadata: ";
            try {
                var unused = EmbeddedObjects.coerce("", typed, around.root(), false, new ArrayList<>());
            } catch (MalformedObjectException e) {
                problems.invalid(path, GoText.untyped(value), invalid + e.getMessage());
                return;
            }
            FieldErrors metadata = EmbeddedObjects.validate("", typed, around.root());
            if (metadata.isEmpty()) {
                checkValid(schema, value, path);
                return;
            }
            problems.invalid(path, GoText.untyped(value), invalid + metadata.message());
        }
    }
}
