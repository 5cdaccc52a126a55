/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.definitions.Crd.Version;
import io.kubeloop.apiserver.customresources.definitions.DefinitionConditions.Condition;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.customresources.values.Formats;
import io.kubeloop.apiserver.expressions.ExpressionCompiler;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The behavior of custom resource definitions (upstream: {@code pkg/registry/customresourcedefinition}). Immutable;
 * thread-safe.
 */
public final class CrdStrategy implements RestStrategy {

    private static final Condition DELETION_PENDING = new Condition(
            DefinitionConditions.TERMINATING,
            "True",
            "InstanceDeletionPending",
            "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon");

    private static final JsonObject NEW_STATUS = JsonObject.builder()
            .put("conditions", JsonNull.NULL)
            .put("acceptedNames", JsonObject.EMPTY.with("plural", "").with("kind", ""))
            .build();

    @Override
    public String storagePrefix() {
        return "apiextensions.k8s.io/customresourcedefinitions";
    }

    @Override
    public JsonObject defaults(JsonObject object) {
        return CrdDefaults.apply(object);
    }

    @Override
    public boolean hasStatus() {
        return true;
    }

    @Override
    public boolean hasGeneration() {
        return true;
    }

    @Override
    public JsonObject prepareForCreate(JsonObject object) {
        return CrdDefaults.withStorageVersion(object.with("status", NEW_STATUS));
    }

    @Override
    public JsonObject prepareForUpdate(JsonObject object, JsonObject old, Part part) {
        JsonObject prepared = RestStrategy.super.prepareForUpdate(object, old, part);
        return part == Part.MAIN ? CrdDefaults.withStorageVersion(prepared) : prepared;
    }

    @Override
    public void validateCreate(JsonObject object, FieldErrors errors) {
        Crd definition = new Crd(object);
        String required = definition.names().string("plural") + "." + definition.group();
        for (String field : List.of("generateName", "name")) {
            String name = Meta.text(object, field);
            if (!name.isEmpty() && !name.equals(required)) {
                errors.invalid("metadata." + field, name, "must be spec.names.plural+\".\"+spec.group");
            }
        }
        errors.addAll(CrdRules.validate(asSent(definition, errors)));
    }

    @Override
    public void validateUpdate(JsonObject object, JsonObject old, Part part, FieldErrors errors) {
        Crd definition = new Crd(object);
        errors.addAll(
                part == Part.STATUS
                        ? CrdRules.validateStatus(definition)
                        : CrdRules.validateUpdate(asSent(definition, errors), new Crd(old)));
    }

    private static Crd asSent(Crd definition, FieldErrors errors) {
        JsonObject sent = errors.sent();
        return sent == null ? definition : new Crd(EmptyMembers.restored(definition.object(), sent));
    }

    @Override
    public boolean validatesSentDocument() {
        return true;
    }

    @Override
    public List<String> warnings(JsonObject object, @Nullable JsonObject old, Part part) {
        List<String> before = old == null ? List.of() : schemaWarnings(old);
        List<String> warnings = new ArrayList<>();
        schemaWarnings(object).stream()
                .filter(warning -> !before.contains(warning))
                .forEach(warnings::add);
        warnings.addAll(UnevaluatedRules.warnings(object, old));
        return warnings;
    }

    private static List<String> schemaWarnings(JsonObject object) {
        List<SchemaProps> schemas = new ArrayList<>();
        SharedParts shared = SharedParts.of(new Crd(object).versions());
        JsonObject common = shared.openApiSchema();
        if (common != null) {
            schemas.add(new SchemaProps(common));
        }
        for (Crd.Version version : shared.versions()) {
            SchemaProps schema = version.schema();
            if (schema != null) {
                schemas.add(schema);
            }
        }
        List<String> warnings = new ArrayList<>();
        Set<String> sets = new TreeSet<>();
        for (SchemaProps schema : schemas) {
            Formats.unrecognized(schema).forEach(format -> warnings.add("unrecognized format \"" + format + "\""));
            schema.has(node -> {
                SchemaProps items = node.items();
                String type = items == null ? "" : items.type();
                if ("set".equals(node.listType()) && (type.equals("object") || type.equals("array"))) {
                    sets.add("x-kubernetes-list-type: set for items of type \"" + type
                            + "\" is not supported by server-side apply or CEL validation rules");
                }
                return false;
            });
        }
        warnings.addAll(sets);
        return warnings;
    }

    /** The server's own finalizer has no domain. */
    @Override
    public boolean requiresQualifiedFinalizers() {
        return false;
    }

    @Override
    public boolean requiresVersionOnUpdate() {
        return true;
    }

    @Override
    public boolean showsStatusAsTable() {
        return false;
    }

    @Override
    public String failedPrecondition() {
        return "precondition failed";
    }

    /** The first deletion adds nothing but the finalizer of the cleanup, whatever its policy. */
    @Override
    public boolean collectsGarbage() {
        return false;
    }

    /** The first deletion adds the finalizer and the condition; it leaves the generation alone, as upstream. */
    @Override
    public JsonObject terminating(JsonObject object) {
        if (!DefinitionConditions.find(object, DefinitionConditions.TERMINATING).isEmpty()) {
            return Meta.without(object, "deletionGracePeriodSeconds");
        }
        JsonObject metadata = Meta.of(object).without("deletionGracePeriodSeconds");
        Long generation = metadata.number("generation");
        if (generation != null && generation > 1) {
            metadata = metadata.with("generation", generation - 1);
        }
        List<String> finalizers = new ArrayList<>(Meta.finalizers(object));
        if (!finalizers.contains(Crd.CLEANUP_FINALIZER)) {
            finalizers.add(Crd.CLEANUP_FINALIZER);
        }
        JsonObject marked = object.with("metadata", metadata.with("finalizers", JsonArray.ofStrings(finalizers)));
        return DefinitionConditions.with(marked, DELETION_PENDING, Meta.text(object, "deletionTimestamp"));
    }

    /** The defaults of definitions (upstream: {@code SetDefaults_CustomResourceDefinition}). Static functions only. */
    private static final class CrdDefaults {

        private static final int WEBHOOK_PORT = 443;

        private CrdDefaults() {}

        static JsonObject apply(JsonObject definition) {
            JsonObject spec = definition.object("spec");
            JsonObject names = spec.object("names");
            String kind = names.string("kind");
            if (names.string("singular").isEmpty()) {
                names = names.with("singular", kind.toLowerCase(Locale.ROOT));
            }
            if (names.string("listKind").isEmpty() && !kind.isEmpty()) {
                names = names.with("listKind", kind + "List");
            }
            spec = spec.with("names", names);
            if (!(spec.get("conversion") instanceof JsonObject)) {
                spec = spec.with("conversion", JsonObject.EMPTY.with("strategy", "None"));
            }
            JsonObject service = spec.object("conversion", "webhook", "clientConfig", "service");
            if (!service.isEmpty() && !service.has("port")) {
                spec = spec.with(
                        List.of("conversion", "webhook", "clientConfig", "service"),
                        service.with("port", WEBHOOK_PORT));
            }
            JsonObject result = definition.with("spec", spec);
            return result.array("status", "storedVersions").isEmpty() ? withStorageVersion(result) : result;
        }

        /** Returns the definition with its storage version among the stored versions. */
        static JsonObject withStorageVersion(JsonObject definition) {
            Crd view = new Crd(definition);
            Optional<String> storage = view.storageVersion().map(Version::name);
            if (storage.isEmpty() || view.storedVersions().contains(storage.get())) {
                return definition;
            }
            List<String> stored = new ArrayList<>(view.storedVersions());
            stored.add(storage.get());
            return definition.with(
                    "status", definition.object("status").with("storedVersions", JsonArray.ofStrings(stored)));
        }
    }

    /**
     * The empty lists and maps of schemas. They do not survive the encoding of an object, so the storage and the
     * answers lack them. But upstream validates the decoded object, in which an empty member differs from an absent
     * one. Static functions only.
     */
    private static final class EmptyMembers {

        private static final String SCHEMA = "openAPIV3Schema";

        private EmptyMembers() {}

        /** Returns a definition with the empty members that the schemas in the document of the client have. */
        static JsonObject restored(JsonObject definition, JsonObject sent) {
            List<JsonObject> versions =
                    definition.array("spec", "versions").objects().toList();
            List<JsonObject> sentVersions =
                    sent.array("spec", "versions").objects().toList();
            if (versions.size() != sentVersions.size() || !sent.object("spec").has("versions")) {
                return definition;
            }
            List<JsonObject> restored = new ArrayList<>();
            for (int i = 0; i < versions.size(); i++) {
                JsonObject version = versions.get(i);
                JsonValue schema = version.get("schema", SCHEMA);
                JsonValue sentSchema = sentVersions.get(i).get("schema", SCHEMA);
                restored.add(
                        schema == null || sentSchema == null
                                ? version
                                : version.with(List.of("schema", SCHEMA), restored(schema, sentSchema)));
            }
            return definition.with(List.of("spec", "versions"), JsonArray.of(restored));
        }

        private static JsonValue restored(JsonValue value, JsonValue sent) {
            if (value instanceof JsonObject object && sent instanceof JsonObject source) {
                return members(object, source);
            }
            if (value instanceof JsonArray array && sent instanceof JsonArray source && array.size() == source.size()) {
                List<JsonValue> elements = new ArrayList<>();
                for (int i = 0; i < array.size(); i++) {
                    elements.add(
                            restored(array.elements().get(i), source.elements().get(i)));
                }
                return JsonArray.of(elements);
            }
            return value;
        }

        private static JsonObject members(JsonObject object, JsonObject sent) {
            JsonObject.Builder changed = JsonObject.builder();
            for (Map.Entry<String, JsonValue> member : sent.members().entrySet()) {
                String name = member.getKey();
                JsonValue value = object.get(name);
                if (value != null) {
                    changed.put(name, restored(value, member.getValue()));
                } else if (isEmpty(member.getValue())) {
                    changed.put(name, member.getValue());
                }
            }
            return object.withAll(changed.build());
        }

        private static boolean isEmpty(JsonValue value) {
            return value.equals(JsonObject.EMPTY) || value.equals(JsonArray.EMPTY);
        }
    }

    /**
     * The warnings about CEL rules of a server without a compiler, which accepts rules without evaluating them. Static
     * functions only.
     */
    private static final class UnevaluatedRules {

        private UnevaluatedRules() {}

        /**
         * Returns one warning for each node of a schema with rules; none for those that the old definition has, too.
         */
        static List<String> warnings(JsonObject definition, @Nullable JsonObject old) {
            if (ExpressionCompiler.installed().isPresent()) {
                return List.of();
            }
            List<String> warnings = all(definition);
            if (old != null) {
                warnings.removeAll(all(old));
            }
            return warnings;
        }

        private static List<String> all(JsonObject definition) {
            List<String> warnings = new ArrayList<>();
            List<Version> versions = new Crd(definition).versions();
            for (int i = 0; i < versions.size(); i++) {
                collect(versions.get(i).schema(), "spec.versions[" + i + "].schema.openAPIV3Schema", warnings);
            }
            return warnings;
        }

        private static void collect(@Nullable SchemaProps schema, String path, List<String> warnings) {
            if (schema == null) {
                return;
            }
            if (!schema.rules().isEmpty()) {
                warnings.add("x-kubernetes-validations of " + path + ": not evaluated");
            }
            schema.properties()
                    .forEach((name, property) -> collect(property, path + ".properties[" + name + "]", warnings));
            collect(schema.items(), path + ".items", warnings);
            SchemaProps.Additional additional = schema.additionalProperties();
            collect(additional == null ? null : additional.schema(), path + ".additionalProperties", warnings);
        }
    }
}
