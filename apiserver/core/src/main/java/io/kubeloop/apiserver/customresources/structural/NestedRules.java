/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.expressions.GoPattern;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the schemas under {@code anyOf}, {@code allOf}, {@code oneOf} and {@code not}: they only restrict values
 * (upstream: {@code validateNestedValueValidation}). Used for one validation.
 */
final class NestedRules {

    private static final JsonObject INTEGER = JsonObject.EMPTY.with("type", "integer");
    private static final JsonObject STRING = JsonObject.EMPTY.with("type", "string");

    private final FieldErrors problems;

    NestedRules(FieldErrors problems) {
        this.problems = problems;
    }

    /** Checks the rules of a schema that is not nested itself. */
    void check(SchemaProps schema, String path) {
        boolean skipFirst =
                !schema.allOf().isEmpty() && isIntOrString(schema.allOf().get(0));
        checkRules(schema, isIntOrString(schema), skipFirst, path);
    }

    /** Returns whether a schema has the one {@code anyOf} in which types are allowed. */
    static boolean isIntOrString(SchemaProps schema) {
        List<SchemaProps> anyOf = schema.anyOf();
        return anyOf.size() == 2
                && anyOf.get(0).source().equals(INTEGER)
                && anyOf.get(1).source().equals(STRING);
    }

    private void checkRules(SchemaProps schema, boolean skipAnyOf, boolean skipFirstAnyOf, String path) {
        if (!skipAnyOf) {
            for (int i = 0; i < schema.anyOf().size(); i++) {
                checkNested(schema.anyOf().get(i), false, path + ".anyOf[" + i + "]");
            }
        }
        for (int i = 0; i < schema.allOf().size(); i++) {
            checkNested(schema.allOf().get(i), skipFirstAnyOf && i == 0, path + ".allOf[" + i + "]");
        }
        for (int i = 0; i < schema.oneOf().size(); i++) {
            checkNested(schema.oneOf().get(i), false, path + ".oneOf[" + i + "]");
        }
        checkNested(schema.not(), false, path + ".not");
        GoPattern pattern = schema.pattern();
        if (pattern != null && pattern.error() != null) {
            problems.invalid(
                    path + ".pattern",
                    pattern.text(),
                    "must be a valid regular expression, but isn't: " + pattern.error());
        }
    }

    private void checkNested(@Nullable SchemaProps schema, boolean skipAnyOf, String path) {
        if (schema == null) {
            return;
        }
        checkRules(schema, skipAnyOf, false, path);
        checkNested(schema.items(), false, path + ".items");
        schema.properties()
                .forEach((name, property) -> checkNested(property, false, path + ".properties[" + name + "]"));
        forbid(!schema.type().isEmpty(), path + ".type", "must be empty to be structural");
        SchemaProps.Additional additional = schema.additionalProperties();
        forbid(
                additional != null && additional.allows(),
                path + ".additionalProperties",
                "must be undefined to be structural");
        forbid(schema.initial() != null, path + ".default", "must be undefined to be structural");
        forbid(!schema.source().string("title").isEmpty(), path + ".title", "must be empty to be structural");
        forbid(
                !schema.source().string("description").isEmpty(),
                path + ".description",
                "must be empty to be structural");
        forbid(schema.nullable(), path + ".nullable", "must be false to be structural");
        forbid(
                schema.preservesUnknown(),
                path + ".x-kubernetes-preserve-unknown-fields",
                "must be false to be structural");
        forbid(schema.embedded(), path + ".x-kubernetes-embedded-resource", "must be false to be structural");
        forbid(schema.intOrString(), path + ".x-kubernetes-int-or-string", "must be false to be structural");
        forbid(!schema.listMapKeys().isEmpty(), path + ".x-kubernetes-list-map-keys", "must be empty to be structural");
        forbid(schema.listType() != null, path + ".x-kubernetes-list-type", "must be undefined to be structural");
        forbid(schema.mapType() != null, path + ".x-kubernetes-map-type", "must be undefined to be structural");
        forbid(!schema.rules().isEmpty(), path + ".x-kubernetes-validations", "must be empty to be structural");
        forbid(
                schema.properties().containsKey("metadata"),
                path + ".properties[metadata]",
                "must not be specified in a nested context");
    }

    private void forbid(boolean found, String path, String detail) {
        if (found) {
            problems.forbidden(path, detail);
        }
    }
}
