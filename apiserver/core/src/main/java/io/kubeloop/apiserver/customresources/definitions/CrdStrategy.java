/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.apiserver.customresources.definitions.Conditions.Condition;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.customresources.values.Formats;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.rest.RestStrategy;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The behavior of custom resource definitions (upstream: {@code pkg/registry/customresourcedefinition}). Immutable;
 * thread-safe.
 */
public final class CrdStrategy implements RestStrategy {

    private static final Condition DELETION_PENDING = new Condition(
            Conditions.TERMINATING,
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
        List<String> before = old == null ? List.of() : unrecognizedFormats(old);
        List<String> warnings = new ArrayList<>();
        unrecognizedFormats(object).stream()
                .filter(format -> !before.contains(format))
                .forEach(format -> warnings.add("unrecognized format \"" + format + "\""));
        warnings.addAll(UnevaluatedRules.warnings(object, old));
        return warnings;
    }

    private static List<String> unrecognizedFormats(JsonObject object) {
        List<String> formats = new ArrayList<>();
        SharedParts shared = SharedParts.of(new Crd(object).versions());
        JsonObject common = shared.openApiSchema();
        if (common != null) {
            formats.addAll(Formats.unrecognized(new SchemaProps(common)));
        }
        for (Crd.Version version : shared.versions()) {
            SchemaProps schema = version.schema();
            if (schema != null) {
                formats.addAll(Formats.unrecognized(schema));
            }
        }
        return formats;
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
    public boolean checksPreconditionsItself() {
        return true;
    }

    /** The first deletion adds nothing but the finalizer of the cleanup, whatever its policy. */
    @Override
    public boolean collectsGarbage() {
        return false;
    }

    /** The first deletion adds the finalizer and the condition; it leaves the generation alone, as upstream. */
    @Override
    public JsonObject terminating(JsonObject object) {
        if (!Conditions.find(object, Conditions.TERMINATING).isEmpty()) {
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
        return Conditions.with(marked, DELETION_PENDING, Meta.text(object, "deletionTimestamp"));
    }
}
