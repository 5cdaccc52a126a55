/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.customresources.definitions.Crd.Version;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.customresources.structural.CrdSchema;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validates definitions (upstream: {@code ValidateCustomResourceDefinition}). Used for one validation. */
final class CrdRules {

    private static final String SCHEMA = "openAPIV3Schema";

    private final Crd definition;
    private final FieldErrors errors = new FieldErrors();
    private final FieldCursor spec;
    private final FieldCursor status;

    private CrdRules(Crd definition) {
        this.definition = definition;
        FieldCursor object = FieldCursor.of(definition.object(), errors);
        spec = object.at("spec");
        status = object.at("status");
    }

    /** Returns the errors of a new definition, except those of its metadata. */
    static FieldErrors validate(Crd definition) {
        CrdRules rules = new CrdRules(definition);
        rules.check(false);
        rules.checkStatus(null);
        return rules.errors;
    }

    /** Returns the errors of a changed definition, except those of its metadata. */
    static FieldErrors validateUpdate(Crd definition, Crd old) {
        CrdRules rules = new CrdRules(definition);
        boolean isEstablished = old.isTrue(DefinitionConditions.ESTABLISHED);
        rules.check(isEstablished && CaBundle.problem(old.caBundle()) == null);
        if (isEstablished) {
            rules.immutable(old, "scope");
            rules.immutable(old, "names", "kind");
        }
        rules.immutable(old, "group");
        rules.immutable(old, "names", "plural");
        rules.checkStatus(old);
        return rules.errors;
    }

    /** Returns the errors of a changed status. */
    static FieldErrors validateStatus(Crd definition) {
        CrdRules rules = new CrdRules(definition);
        NameRules.check(rules.status.at("acceptedNames"));
        return rules.errors;
    }

    private void immutable(Crd old, String... path) {
        spec.at(path)
                .holdingText()
                .immutable(FieldCursor.ofOld(old.spec(), errors).at(path).holdingText());
    }

    private void check(boolean requiresBundle) {
        checkGroup(spec.at("group"));
        spec.at("scope").requireOneOf(List.of("Cluster", "Namespaced"));
        FieldCursor versions = spec.at("versions");
        versions.each(version -> {
            if (!version.at("schema", SCHEMA).isSet()) {
                version.at("schema", SCHEMA).required("");
            }
        });
        SharedParts shared = SharedParts.of(definition.versions());
        checkVersions(versions, shared);
        checkFirstVersion();
        NameRules.checkRequired(spec.at("names"));
        NameRules.check(spec.at("names"));
        checkShared(shared);
        ConversionRules.check(spec.at("conversion"), requiresBundle);
    }

    private static void checkGroup(FieldCursor group) {
        if (!group.require()) {
            return;
        }
        List<String> details = NameValidation.dns1123Subdomain(group.text());
        if (!details.isEmpty()) {
            group.invalid(String.join(",", details));
        } else if (group.text().indexOf('.') < 0) {
            group.invalid("should be a domain with at least one dot");
        }
    }

    private void checkVersions(FieldCursor versions, SharedParts shared) {
        Set<String> names = new HashSet<>();
        int storage = 0;
        for (int i = 0; i < shared.versions().size(); i++) {
            Version version = shared.versions().get(i);
            FieldCursor field = versions.items().get(i).holding(version.object());
            storage += version.isStorage() ? 1 : 0;
            names.add(version.name());
            NameRules.check(field.at("name").holdingText(), version.name(), "");
            checkVersion(version, field, shared);
        }
        if (names.size() < shared.versions().size()) {
            invalidVersions(shared, "must contain unique version names");
        }
        if (storage != 1) {
            invalidVersions(shared, "must have exactly one version marked as storage version");
        }
    }

    private void invalidVersions(SharedParts shared, String detail) {
        String shown = spec.at("versions").isSet() ? InternalVersions.text(shared.versions()) : "null";
        errors.invalidLiteral("spec.versions", shown, detail);
    }

    /** Upstream repeats the error of the first version, whose name it also keeps in a field of its own. */
    private void checkFirstVersion() {
        spec.at("versions").items().stream()
                .limit(1)
                .forEach(first -> NameRules.checkIfSet(first.at("name").named("spec.version")));
    }

    private static void checkVersion(Version version, FieldCursor field, SharedParts shared) {
        DeprecationRules.check(field);
        SchemaProps schema = version.schema();
        FieldCursor at = field.at("schema", SCHEMA);
        boolean status = shared.subresources() == null ? version.hasStatus() : hasStatus(shared.subresources());
        if (schema != null) {
            field.errors().addAll(CrdSchema.validate(at.path(), schema, status));
        }
        SubresourceRules.check(field.at("subresources"));
        field.at("additionalPrinterColumns").each(ColumnRules::check);
        checkSelectable(
                field.at("selectableFields"),
                at,
                schema,
                "may only be set when `version.schema.openAPIV3Schema` is not included");
    }

    private static boolean hasStatus(@Nullable Object subresources) {
        return subresources instanceof JsonObject some && some.get("status") instanceof JsonObject;
    }

    private void checkShared(SharedParts shared) {
        JsonObject openApi = shared.openApiSchema();
        SchemaProps schema = openApi == null ? null : new SchemaProps(openApi);
        if (schema != null) {
            boolean status = hasStatus(shared.subresources())
                    || shared.versions().stream().anyMatch(Version::hasStatus);
            errors.addAll(CrdSchema.validate("spec.validation." + SCHEMA, schema, status));
        }
        SubresourceRules.check(spec.at("subresources").holding(shared.subresources()));
        spec.at("additionalPrinterColumns").holding(shared.columns()).each(ColumnRules::check);
        checkSelectable(
                spec.at("selectableFields").holding(shared.selectableFields()),
                spec.at("schema", SCHEMA),
                schema,
                "may only be set when validations.schema is included");
    }

    private static void checkSelectable(
            FieldCursor fields, FieldCursor at, @Nullable SchemaProps schema, String withoutSchema) {
        if (fields.isEmpty()) {
            return;
        }
        String unsupported = schema == null ? null : CrdSchema.unsupported(schema);
        if (schema == null) {
            fields.errors().invalid(fields.path(), "", withoutSchema);
        } else if (unsupported != null) {
            fields.errors().invalid(at.path(), "", unsupported);
        } else {
            SelectableFieldRules.check(fields, schema);
        }
    }

    private void checkStatus(@Nullable Crd old) {
        NameRules.check(status.at("acceptedNames"));
        checkStored(status.at("storedVersions"));
        ApiApproval.check(definition, old, errors);
        if (spec.at("preserveUnknownFields").isTrue()) {
            spec.at("preserveUnknownFields")
                    .invalid("cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
                            + " spec.versions[*].schema instead");
        }
    }

    private void checkStored(FieldCursor field) {
        if (field.isEmpty()) {
            errors.invalidLiteral(field.path(), "null", "must have at least one stored version");
            return;
        }
        List<String> stored = definition.storedVersions();
        List<String> names = definition.versions().stream().map(Version::name).toList();
        definition.versions().stream()
                .filter(version -> version.isStorage() && !stored.contains(version.name()))
                .forEach(version -> field.invalid("must have the storage version " + version.name()));
        for (FieldCursor version : field.items()) {
            if (!names.contains(version.text())) {
                version.invalid("missing from spec.versions; " + version.text()
                        + " was previously a storage version, and must remain in spec.versions until a storage"
                        + " migration ensures no data remains persisted in " + version.text() + " and removes "
                        + version.text() + " from status.storedVersions");
            }
        }
    }

    /** The rules of additional printer columns. Static functions only. */
    private static final class ColumnRules {

        private static final List<String> TYPES = List.of("boolean", "date", "integer", "number", "string");
        private static final List<String> FORMATS =
                List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");

        private ColumnRules() {}

        static void check(FieldCursor column) {
            column.at("name").require();
            FieldCursor type = column.at("type");
            String types = "must be one of " + String.join(",", TYPES);
            if (type.require(types) && !TYPES.contains(type.text())) {
                type.invalid(types);
            }
            FieldCursor format = column.at("format");
            if (!format.isEmpty() && !FORMATS.contains(format.text())) {
                format.invalid("must be one of " + String.join(",", FORMATS));
            }
            FieldCursor jsonPath = column.at("jsonPath").named(column.path() + ".JSONPath");
            if (jsonPath.require() && !jsonPath.text().startsWith(".")) {
                jsonPath.invalid("must be a simple json path starting with .");
            }
        }
    }

    /** The rules of the paths of the scale subresource. Static functions only. */
    private static final class SubresourceRules {

        private SubresourceRules() {}

        static void check(FieldCursor subresources) {
            FieldCursor scale = subresources.at("scale");
            if (scale.value() instanceof JsonObject) {
                checkPath(scale.at("specReplicasPath"), List.of(".spec."), ".spec");
                checkPath(scale.at("statusReplicasPath"), List.of(".status."), ".status");
                FieldCursor selector = scale.at("labelSelectorPath");
                if (!selector.isEmpty()) {
                    checkPath(selector, List.of(".spec.", ".status."), "either .spec or .status");
                }
            }
        }

        private static void checkPath(FieldCursor path, List<String> parents, String where) {
            if (!path.require()) {
                return;
            }
            if (!path.text().startsWith(".")) {
                path.invalid("must be a simple json path starting with .");
            } else if (parents.stream().noneMatch(path.text()::startsWith)) {
                path.invalid("should be a json path under " + where);
            }
        }
    }
}
