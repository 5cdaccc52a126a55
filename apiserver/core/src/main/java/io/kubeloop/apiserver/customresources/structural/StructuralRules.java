/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.structural;

import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.fielderrors.FieldError;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules that make a schema structural: every value has one type, stated outside of {@code anyOf}, {@code allOf},
 * {@code oneOf} and {@code not} (upstream: {@code ValidateStructural}). Used for one validation.
 */
final class StructuralRules {

    private enum Level {
        ROOT("at the root"),
        ITEM("for specified array items"),
        FIELD("for specified object fields");

        private final String text;

        Level(String text) {
            this.text = text;
        }
    }

    private final FieldErrors problems = new FieldErrors();

    private StructuralRules() {}

    /** Returns the errors, sorted by their messages as upstream. */
    static FieldErrors validate(String path, SchemaProps schema) {
        StructuralRules rules = new StructuralRules();
        rules.check(schema, Level.ROOT, path);
        CompletenessRules.check(schema, path, rules.problems);
        FieldErrors sorted = new FieldErrors();
        rules.problems.list().stream()
                .sorted(Comparator.comparing(FieldError::message))
                .forEach(sorted::add);
        return sorted;
    }

    private void check(SchemaProps schema, Level level, String path) {
        SchemaProps items = schema.items();
        if (schema.type().equals("array") && items == null) {
            problems.required(path + ".items", "must be specified");
        }
        if (items != null) {
            check(items, Level.ITEM, path + ".items");
        }
        schema.properties()
                .forEach((name, property) -> check(property, Level.FIELD, path + ".properties[" + name + "]"));
        SchemaProps.Additional additional = schema.additionalProperties();
        if (additional != null) {
            String at = path + ".additionalProperties";
            if (level == Level.ROOT) {
                problems.forbidden(at, "must not be used at the root");
            }
            if (additional.schema() != null) {
                check(additional.schema(), Level.FIELD, at);
            }
        }
        checkExtensions(schema, path);
        new NestedRules(problems).check(schema, path);
        checkType(schema, level, path);
        checkMeta(schema, level, path);
        if (schema.embedded()
                && !schema.preservesUnknown()
                && schema.properties().isEmpty()) {
            problems.required(
                    path + ".properties",
                    "must not be empty if x-kubernetes-embedded-resource is true without"
                            + " x-kubernetes-preserve-unknown-fields");
        }
    }

    private void checkExtensions(SchemaProps schema, String path) {
        if (schema.intOrString() && schema.preservesUnknown()) {
            problems.invalid(
                    path + ".x-kubernetes-preserve-unknown-fields",
                    JsonBoolean.TRUE,
                    "must be false if x-kubernetes-int-or-string is true");
        }
        if (schema.intOrString() && schema.embedded()) {
            problems.invalid(
                    path + ".x-kubernetes-embedded-resource",
                    JsonBoolean.TRUE,
                    "must be false if x-kubernetes-int-or-string is true");
        }
    }

    private void checkType(SchemaProps schema, Level level, String path) {
        String type = schema.type();
        String at = path + ".type";
        if (schema.embedded() && !type.equals("object")) {
            String detail = "must be object if x-kubernetes-embedded-resource is true";
            problems.add(type.isEmpty() ? FieldError.required(at, detail) : FieldError.invalid(at, type, detail));
        } else if (type.isEmpty() && !schema.intOrString() && !schema.preservesUnknown()) {
            problems.required(at, "must not be empty " + level.text);
        }
        if (schema.embedded() && schema.additionalProperties() != null) {
            problems.forbidden(
                    path + ".additionalProperties", "must not be used if x-kubernetes-embedded-resource is set");
        }
        if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
            problems.invalid(at, type, "must be object at the root");
        }
    }

    private void checkMeta(SchemaProps schema, Level level, String path) {
        boolean resource = level == Level.ROOT || schema.embedded();
        if (resource) {
            for (String name : List.of("kind", "apiVersion")) {
                SchemaProps property = schema.properties().get(name);
                if (property != null && !property.type().equals("string")) {
                    problems.invalid(path + ".properties[" + name + "].type", property.type(), "must be string");
                }
            }
        }
        SchemaProps metadata = schema.properties().get("metadata");
        if (metadata == null) {
            return;
        }
        String at = path + ".properties[metadata]";
        if (resource && !metadata.type().equals("object")) {
            problems.invalid(at + ".type", metadata.type(), "must be object");
        }
        if (level == Level.ROOT && !restrictsNamesOnly(metadata)) {
            problems.forbidden(
                    at,
                    "must not specify anything other than name and generateName, but metadata is implicitly specified");
        }
    }

    private static boolean restrictsNamesOnly(SchemaProps metadata) {
        boolean names = List.of("name", "generateName")
                .containsAll(metadata.properties().keySet());
        JsonObject rest = metadata.source().without("type").without("default");
        return (names ? rest.without("properties") : rest).isEmpty();
    }

    /**
     * The rule that every field which is restricted under {@code anyOf}, {@code allOf}, {@code oneOf} or {@code not} is
     * also specified outside of them (upstream: {@code validateStructuralCompleteness}). Static functions only.
     */
    private static final class CompletenessRules {

        private CompletenessRules() {}

        static void check(SchemaProps schema, String path, FieldErrors problems) {
            checkRules(schema, schema, path, path, problems);
        }

        private static void checkRules(
                SchemaProps rules, SchemaProps schema, String path, String rulesPath, FieldErrors problems) {
            checkNested(rules.not(), schema, path, rulesPath + ".not", problems);
            checkAll(rules.allOf(), schema, path, rulesPath + ".allOf", problems);
            checkAll(rules.anyOf(), schema, path, rulesPath + ".anyOf", problems);
            checkAll(rules.oneOf(), schema, path, rulesPath + ".oneOf", problems);
        }

        private static void checkAll(
                List<SchemaProps> all, SchemaProps schema, String path, String rulesPath, FieldErrors problems) {
            for (int i = 0; i < all.size(); i++) {
                checkNested(all.get(i), schema, path, rulesPath + "[" + i + "]", problems);
            }
        }

        private static void checkNested(
                @Nullable SchemaProps rules,
                @Nullable SchemaProps schema,
                String path,
                String rulesPath,
                FieldErrors problems) {
            if (rules == null) {
                return;
            }
            if (schema == null) {
                problems.required(path, "because it is defined in " + rulesPath);
                return;
            }
            checkRules(rules, schema, path, rulesPath, problems);
            checkNested(rules.items(), schema.items(), path + ".items", rulesPath + ".items", problems);
            rules.properties().forEach((name, property) -> {
                String suffix = ".properties[" + name + "]";
                checkNested(property, schema.properties().get(name), path + suffix, rulesPath + suffix, problems);
            });
        }
    }
}
