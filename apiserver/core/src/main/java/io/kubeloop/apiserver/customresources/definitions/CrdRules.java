/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.customresources.definitions;

import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.customresources.definitions.Crd.Version;
import io.kubeloop.apiserver.customresources.schema.SchemaProps;
import io.kubeloop.apiserver.customresources.structural.CrdSchema;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonBoolean;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Validates definitions (upstream: {@code ValidateCustomResourceDefinition}). Used for one validation. */
final class CrdRules {

    private static final String SPEC = "spec";

    private final FieldErrors problems = new FieldErrors();

    private CrdRules() {}

    /** Returns the errors of a new definition, except those of its metadata. */
    static FieldErrors validate(Crd definition) {
        CrdRules rules = new CrdRules();
        rules.check(definition, false);
        rules.checkStatus(definition);
        ApiApproval.check(definition, null, rules.problems);
        rules.checkPreserve(definition);
        return rules.problems;
    }

    /** Returns the errors of a changed definition, except those of its metadata. */
    static FieldErrors validateUpdate(Crd definition, Crd old) {
        CrdRules rules = new CrdRules();
        rules.check(definition, old.isTrue(Conditions.ESTABLISHED) && CaBundle.problem(old.caBundle()) == null);
        if (old.isTrue(Conditions.ESTABLISHED)) {
            rules.immutable(definition, old, "scope");
            rules.immutable(definition, old, "names", "kind");
        }
        rules.immutable(definition, old, "group");
        rules.immutable(definition, old, "names", "plural");
        rules.checkStatus(definition);
        ApiApproval.check(definition, old, rules.problems);
        rules.checkPreserve(definition);
        return rules.problems;
    }

    /** Returns the errors of a changed status. */
    static FieldErrors validateStatus(Crd definition) {
        FieldErrors problems = new FieldErrors();
        NameRules.check("status.acceptedNames", definition.acceptedNames(), problems);
        return problems;
    }

    private void immutable(Crd definition, Crd old, String... path) {
        String now = definition.spec().string(path);
        if (!now.equals(old.spec().string(path))) {
            problems.invalid(SPEC + "." + String.join(".", path), now, "field is immutable");
        }
    }

    private void check(Crd definition, boolean requiresBundle) {
        JsonObject spec = definition.spec();
        checkGroup(spec.string("group"));
        checkScope(spec.string("scope"));
        List<Version> versions = definition.versions();
        SharedParts shared = SharedParts.of(versions);
        for (int i = 0; i < versions.size(); i++) {
            if (versions.get(i).schema() == null) {
                problems.required(SPEC + ".versions[" + i + "].schema.openAPIV3Schema", "");
            }
        }
        checkVersions(shared);
        checkFirstVersion(versions);
        NameRules.checkRequired(SPEC + ".names", definition.names(), problems);
        NameRules.check(SPEC + ".names", definition.names(), problems);
        checkShared(shared);
        ConversionRules.check(definition, requiresBundle, problems);
    }

    private void checkGroup(String group) {
        String path = SPEC + ".group";
        List<String> errors = NameValidation.dns1123Subdomain(group);
        if (group.isEmpty()) {
            problems.required(path, "");
        } else if (!errors.isEmpty()) {
            problems.invalid(path, group, String.join(",", errors));
        } else if (group.indexOf('.') < 0) {
            problems.invalid(path, group, "should be a domain with at least one dot");
        }
    }

    private void checkScope(String scope) {
        List<String> scopes = List.of("Cluster", "Namespaced");
        if (scope.isEmpty()) {
            problems.required(SPEC + ".scope", "");
        } else if (!scopes.contains(scope)) {
            problems.notSupported(SPEC + ".scope", scope, scopes);
        }
    }

    private void checkVersions(SharedParts shared) {
        Set<String> names = new HashSet<>();
        int storage = 0;
        List<Version> versions = shared.versions();
        for (int i = 0; i < versions.size(); i++) {
            Version version = versions.get(i);
            String path = SPEC + ".versions[" + i + "]";
            storage += version.isStorage() ? 1 : 0;
            names.add(version.name());
            List<String> errors = NameValidation.dns1035Label(version.name());
            if (!errors.isEmpty()) {
                problems.invalid(path + ".name", version.name(), String.join(",", errors));
            }
            checkVersion(version, path, shared);
        }
        if (names.size() < versions.size()) {
            problems.invalidLiteral(
                    SPEC + ".versions", InternalVersions.text(versions), "must contain unique version names");
        }
        if (storage != 1) {
            problems.invalidLiteral(
                    SPEC + ".versions",
                    InternalVersions.text(versions),
                    "must have exactly one version marked as storage version");
        }
    }

    /** Upstream repeats the error of the first version, whose name it also keeps in a field of its own. */
    private void checkFirstVersion(List<Version> versions) {
        String name = versions.isEmpty() ? "" : versions.get(0).name();
        List<String> errors = NameValidation.dns1035Label(name);
        if (!name.isEmpty() && !errors.isEmpty()) {
            problems.invalid(SPEC + ".version", name, String.join(",", errors));
        }
    }

    private void checkVersion(Version version, String path, SharedParts shared) {
        DeprecationRules.check(version, path + ".deprecationWarning", problems);
        SchemaProps schema = version.schema();
        boolean status = shared.subresources() == null ? version.hasStatus() : hasStatus(shared.subresources());
        if (schema != null) {
            problems.addAll(CrdSchema.validate(path + ".schema.openAPIV3Schema", schema, status));
        }
        SubresourceRules.check(path + ".subresources", version.object().object("subresources"), problems);
        ColumnRules.check(path + ".additionalPrinterColumns", version.columns(), problems);
        JsonArray fields = version.object().array("selectableFields");
        if (fields.isEmpty()) {
            return;
        }
        if (schema == null) {
            problems.invalid(
                    path + ".selectableFields",
                    "",
                    "may only be set when `version.schema.openAPIV3Schema` is not included");
        } else {
            checkSelectable(path, path + ".schema.openAPIV3Schema", fields, schema);
        }
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
            problems.addAll(CrdSchema.validate(SPEC + ".validation.openAPIV3Schema", schema, status));
        }
        if (shared.subresources() instanceof JsonObject subresources) {
            SubresourceRules.check(SPEC + ".subresources", subresources, problems);
        }
        if (shared.columns() instanceof JsonArray columns) {
            ColumnRules.check(SPEC + ".additionalPrinterColumns", columns, problems);
        }
        if (shared.selectableFields() instanceof JsonArray fields && !fields.isEmpty()) {
            if (schema == null) {
                problems.invalid(SPEC + ".selectableFields", "", "may only be set when validations.schema is included");
            } else {
                checkSelectable(SPEC, SPEC + ".schema.openAPIV3Schema", fields, schema);
            }
        }
    }

    private void checkSelectable(String path, String schemaPath, JsonArray fields, SchemaProps schema) {
        String unsupported = CrdSchema.unsupported(schema);
        if (unsupported != null) {
            problems.invalid(schemaPath, "", unsupported);
            return;
        }
        SelectableFieldRules.check(path + ".selectableFields", fields, schema, problems);
    }

    private void checkStatus(Crd definition) {
        NameRules.check("status.acceptedNames", definition.acceptedNames(), problems);
        String path = "status.storedVersions";
        List<String> stored = definition.storedVersions();
        JsonArray shown = JsonArray.ofStrings(stored);
        if (stored.isEmpty()) {
            problems.invalidLiteral(path, "null", "must have at least one stored version");
            return;
        }
        List<String> names = definition.versions().stream().map(Version::name).toList();
        definition.versions().stream()
                .filter(version -> version.isStorage() && !stored.contains(version.name()))
                .forEach(version -> problems.invalid(path, shown, "must have the storage version " + version.name()));
        for (int i = 0; i < stored.size(); i++) {
            String version = stored.get(i);
            if (!names.contains(version)) {
                problems.invalid(
                        path + "[" + i + "]",
                        new JsonString(version),
                        "missing from spec.versions; " + version
                                + " was previously a storage version, and must remain in spec.versions until a storage"
                                + " migration ensures no data remains persisted in " + version + " and removes "
                                + version + " from status.storedVersions");
            }
        }
    }

    private void checkPreserve(Crd definition) {
        if (definition.spec().bool("preserveUnknownFields")) {
            problems.invalid(
                    SPEC + ".preserveUnknownFields",
                    JsonBoolean.TRUE,
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema"
                            + " instead");
        }
    }
}
