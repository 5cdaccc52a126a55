/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.server;

import com.google.re2j.Pattern;
import io.kubeloop.api.NameValidation;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.InternalForm;
import io.kubeloop.apiserver.kinds.validation.workload.DisruptionRules;
import io.kubeloop.apiserver.rest.RestStrategy.Part;
import io.kubeloop.json.tree.JsonString;
import java.util.List;

/** Validation of migrations of the stored version (upstream: {@code pkg/apis/storagemigration/validation}). */
public final class MigrationRules {

    private static final Pattern VERSION = Pattern.compile("[1-9][0-9]*");

    private MigrationRules() {}

    /** Validates a migration. */
    public static void migration(FieldCursor migration) {
        FieldCursor plural = migration.at("spec", "resource", "resource");
        if (plural.require("resource is required to be set")) {
            joined(plural, NameValidation.dns1035Label(plural.text()));
        }
        FieldCursor group = migration.at("spec", "resource", "group");
        if (!group.isEmpty()) {
            joined(group, NameValidation.dns1123Subdomain(group.text()));
        }
    }

    private static void joined(FieldCursor field, List<String> problems) {
        if (!problems.isEmpty()) {
            field.invalid(String.join(",", problems));
        }
    }

    /** Validates a change of a migration or of its status. */
    public static void update(FieldCursor migration, FieldCursor old, Part part) {
        if (part == Part.STATUS) {
            status(migration.at("status"), old.at("status"));
            return;
        }
        FieldCursor spec = migration.at("spec");
        if (!spec.isSameAs(old.at("spec"))) {
            InternalForm.shown("storagemigration.v1.StorageVersionMigrationSpec", spec)
                    .invalid("field is immutable");
        }
    }

    private static void status(FieldCursor status, FieldCursor old) {
        FieldCursor version = status.at("resourceVersion");
        FieldCursor conditions = status.at("conditions");
        if (!version.isEmpty() && !VERSION.matcher(version.text()).matches()) {
            version.invalid("resource version is not well formed: " + version.text());
        }
        DisruptionRules.conditions(conditions);
        FieldCursor before = old.at("resourceVersion");
        if (!before.isEmpty() && !before.text().equals(version.text())) {
            version.holding(new JsonString(version.text())).invalid("field is immutable");
        }
        if (isTrue(status, "Succeeded") && isTrue(status, "Failed")) {
            conditions.invalid("Both success and failed conditions cannot be true at the same time");
        }
        if (isTrue(old, "Succeeded") && !isTrue(status, "Succeeded")) {
            conditions.invalid("Success condition cannot be set to false once it is true");
        }
        if (isTrue(old, "Failed") && !isTrue(status, "Failed")) {
            conditions.invalid("Failed condition cannot be set to false once it is true");
        }
    }

    private static boolean isTrue(FieldCursor status, String type) {
        return status.at("conditions").items().stream()
                .filter(condition -> condition.at("type").text().equals(type))
                .findFirst()
                .map(condition -> condition.at("status").text().equals("True"))
                .orElse(false);
    }
}
