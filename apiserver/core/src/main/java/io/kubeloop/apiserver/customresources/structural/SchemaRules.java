/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules of each node of a schema: supported keywords, and the extensions of Kubernetes (upstream: {@code
 * ValidateCustomResourceDefinitionOpenAPISchema}). Used for one validation.
 */
final class SchemaRules {

    private static final List<String> TYPES = List.of("array", "boolean", "integer", "number", "object", "string");
    private static final Set<String> META = Set.of("metadata", "kind", "apiVersion");

    private final FieldErrors problems;

    /** The problems of expressions, which are reported after all others. */
    private final FieldErrors ofExpressions = new FieldErrors();

    private final Optional<ExpressionCompiler> compiler;
    private final RuleCosts costs = new RuleCosts();

    private SchemaRules(FieldErrors problems, Optional<ExpressionCompiler> compiler) {
        this.problems = problems;
        this.compiler = compiler;
    }

    /**
     * The place of a node.
     *
     * @param root whether it is the root of the schema
     * @param insideMeta whether it describes the kind, version or metadata of an object
     * @param noDefaults why the node must not have a default; null if it may have one
     * @param count how many values there can be; null if nothing limits it
     * @param unordered the outermost list around the node whose elements have no counterpart after a change; null for
     *     none
     */
    private record Place(
            boolean root,
            boolean insideMeta,
            @Nullable String noDefaults,
            @Nullable Long count,
            @Nullable String unordered) {

        Place below() {
            return new Place(false, insideMeta, noDefaults, count, unordered);
        }

        Place inside(SchemaProps container) {
            Long each = elements(container);
            return new Place(
                    root,
                    insideMeta,
                    noDefaults,
                    count == null || each == null ? null : product(count, each),
                    unordered);
        }

        private static long product(long one, long other) {
            return other != 0 && one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
        }

        /** Returns how many values a container has below each of its schemas. */
        private static @Nullable Long elements(SchemaProps container) {
            String limit = container.type().equals("array")
                    ? "maxItems"
                    : container.type().equals("object") && container.additionalProperties() != null
                            ? "maxProperties"
                            : "";
            Long stated = limit.isEmpty() ? Long.valueOf(1) : container.count(limit);
            return stated == null ? null : Long.valueOf(Math.max(0, stated));
        }

        Place elements(SchemaProps list, String path) {
            boolean keeps = unordered != null || "map".equals(list.listType());
            return new Place(false, insideMeta, noDefaults, count, keeps ? unordered : path);
        }
    }

    static void validate(String path, SchemaProps schema, Optional<ExpressionCompiler> compiler, FieldErrors problems) {
        SchemaRules rules = new SchemaRules(problems, compiler);
        rules.check(schema, path, new Place(true, false, null, 1L, null));
        problems.addAll(rules.ofExpressions);
        rules.costs.finish(path, problems);
    }

    private void check(@Nullable SchemaProps schema, String path, Place at) {
        if (schema == null) {
            return;
        }
        Place place = at.inside(schema);
        int before = problems.count();
        checkKeywords(schema, path, place);
        if (schema.source().bool("uniqueItems")) {
            problems.forbidden(
                    path + ".uniqueItems",
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
        }
        checkAdditional(schema, path, place);
        schema.properties()
                .forEach((name, property) ->
                        check(property, path + ".properties[" + name + "]", property(schema, name, place)));
        check(schema.not(), path + ".not", place.below());
        checkAll(schema.allOf(), path + ".allOf", place);
        checkAll(schema.oneOf(), path + ".oneOf", place);
        checkAll(schema.anyOf(), path + ".anyOf", place);
        check(schema.items(), path + ".items", place.elements(schema, path));
        checkAll(schema.itemSchemas(), path + ".items", place);
        if (schema.source().get("x-kubernetes-preserve-unknown-fields") == JsonBoolean.FALSE) {
            problems.invalid(
                    path + ".x-kubernetes-preserve-unknown-fields", JsonBoolean.FALSE, "must be true or undefined");
        }
        new ListRules(problems).check(schema, path);
        RuleFields.check(schema, path, problems);
        if (compiler.isPresent() && problems.count() == before) {
            boolean resource = at.root() || schema.embedded();
            new RuleExpressions(compiler.get(), costs, ofExpressions)
                    .check(schema, resource, path, at.count(), at.unordered());
        }
    }

    private void checkAll(List<SchemaProps> schemas, String path, Place place) {
        for (int i = 0; i < schemas.size(); i++) {
            check(schemas.get(i), path + "[" + i + "]", place.below());
        }
    }

    private static Place property(SchemaProps schema, String name, Place place) {
        if (!META.contains(name) || (!place.root() && !schema.embedded())) {
            return place.below();
        }
        String noDefaults = place.root() ? "in top-level " + name : place.noDefaults();
        return new Place(false, true, noDefaults, place.count(), place.unordered());
    }

    private void checkAdditional(SchemaProps schema, String path, Place place) {
        SchemaProps.Additional additional = schema.additionalProperties();
        if (additional == null) {
            return;
        }
        String at = path + ".additionalProperties";
        if (!schema.properties().isEmpty() && (!additional.allows() || additional.schema() != null)) {
            problems.forbidden(at, "additionalProperties and properties are mutual exclusive");
        }
        Place below = place.insideMeta()
                ? new Place(
                        false,
                        true,
                        "inside additionalProperties applying to object metadata",
                        place.count(),
                        place.unordered())
                : place.below();
        check(additional.schema(), at, below);
    }

    private void checkKeywords(SchemaProps schema, String path, Place place) {
        if (!schema.type().isEmpty() && !TYPES.contains(schema.type())) {
            problems.notSupported(path + ".type", schema.type(), TYPES);
        }
        if (schema.initial() != null && place.noDefaults() != null) {
            problems.forbidden(path + ".default", "must not be set " + place.noDefaults());
        }
        for (String keyword :
                List.of("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref")) {
            if (isSet(keyword, schema.source().get(keyword))) {
                problems.forbidden(path + "." + keyword, keyword + " is not supported");
            }
        }
        if (schema.type().equals("null")) {
            problems.forbidden(path + ".type", "type cannot be set to null, use nullable as an alternative");
        }
        if (!schema.itemSchemas().isEmpty()) {
            problems.forbidden(path + ".items", "items must be a schema object and not an array");
        }
        if (place.insideMeta() && schema.embedded()) {
            problems.forbidden(path + ".x-kubernetes-embedded-resource", "must not be used inside of resource meta");
        }
    }

    /** Upstream counts the members of some maps, and compares others with nil. */
    private static boolean isSet(String keyword, @Nullable JsonValue value) {
        boolean isEmpty = switch (keyword) {
            case "patternProperties", "definitions" -> JsonObject.EMPTY.equals(value);
            case "id" -> value instanceof JsonString text && text.value().isEmpty();
            default -> false;
        };
        return value != null && value != JsonNull.NULL && !isEmpty;
    }

    /**
     * The rules of the fields of {@code x-kubernetes-validations}, except those of the expressions. Static functions
     * only.
     */
    private static final class RuleFields {

        private static final List<String> REASONS =
                List.of("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

        private RuleFields() {}

        static void check(SchemaProps schema, String path, FieldErrors problems) {
            List<JsonObject> rules = schema.rules().objects().toList();
            for (int i = 0; i < rules.size(); i++) {
                check(schema, rules.get(i), path + ".x-kubernetes-validations[" + i + "]", problems);
            }
        }

        private static void check(SchemaProps schema, JsonObject rule, String path, FieldErrors problems) {
            String text = rule.string("rule").strip();
            String message = rule.string("message");
            if (text.isEmpty()) {
                problems.required(path + ".rule", "rule is not specified");
            } else if (!message.isEmpty() && message.isBlank()) {
                problems.invalid(path + ".message", message, "must be non-empty if specified");
            } else if (hasLineBreak(message.strip())) {
                problems.invalid(path + ".message", message, "must not contain line breaks");
            } else if (hasLineBreak(text) && message.isBlank()) {
                problems.required(path + ".message", "message must be specified if rule contains line breaks");
            }
            String expression = rule.string("messageExpression");
            if (!expression.isEmpty() && expression.isBlank()) {
                problems.required(path + ".messageExpression", "messageExpression must be non-empty if specified");
            }
            String reason = rule.string("reason");
            if (rule.has("reason") && !REASONS.contains(reason)) {
                problems.notSupported(path + ".reason", reason, REASONS);
            }
            String fieldPath = rule.string("fieldPath");
            if (fieldPath.isEmpty()) {
                return;
            }
            String at = path + ".fieldPath";
            if (fieldPath.isBlank()) {
                problems.invalid(at, fieldPath, "must be non-empty if specified");
            }
            if (hasLineBreak(fieldPath)) {
                problems.invalid(at, fieldPath, "must not contain line breaks");
            }
            if (UnsupportedFields.firstIn(schema) == null
                    && SchemaFieldPath.find(fieldPath, schema, true).error() != null) {
                problems.invalid(at, fieldPath, "must be a valid path");
            }
        }

        private static boolean hasLineBreak(String text) {
            return text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
        }
    }
}
