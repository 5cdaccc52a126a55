/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.Optional;
import java.util.Set;
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
     * The rules of the root of a schema whose status is a subresource: the status is validated alone, so that the root
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

        private static final String NAMES = "[Description Type Format Title Maximum ExclusiveMaximum Minimum"
                + " ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items"
                + " Properties ExternalDocs Example XPreserveUnknownFields XValidations]";

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
}
