/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import java.util.List;

/** Validation of the spec of a claim of storage (upstream: {@code ValidatePersistentVolumeClaimSpec}). */
public final class ClaimSpecRules {

    /** The modes of volumes. */
    public static final List<String> VOLUME_MODES = List.of("Block", "Filesystem");

    private static final List<String> ACCESS_MODES =
            List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
    private static final String CLAIM = "PersistentVolumeClaim";

    private ClaimSpecRules() {}

    /** Validates the spec of a new claim. */
    public static void check(FieldCursor spec) {
        check(spec, false);
    }

    /**
     * Validates the spec of a claim.
     *
     * @param keepsGroup whether to accept any group of the data source, because an older claim has one
     */
    public static void check(FieldCursor spec, boolean keepsGroup) {
        FieldCursor modes = spec.at("accessModes");
        modes.require("at least 1 access mode is required");
        SelectorRules.selector(spec.at("selector"));
        accessModes(modes);
        storage(spec.at("resources"));
        spec.at("storageClassName").followsIfSet(NameValidation::dns1123Subdomain);
        spec.at("volumeMode").oneOfIfSet(VOLUME_MODES);
        dataSources(spec, keepsGroup);
        spec.at("volumeAttributesClassName").followsIfSet(NameValidation::dns1123Subdomain);
    }

    /** Validates access modes. */
    public static void accessModes(FieldCursor modes) {
        boolean alone = false;
        boolean others = false;
        for (FieldCursor mode : modes.items()) {
            mode.named(modes.path()).oneOf(ACCESS_MODES);
            boolean isAlone = mode.text().equals("ReadWriteOncePod");
            alone |= isAlone;
            others |= !isAlone && ACCESS_MODES.contains(mode.text());
        }
        if (alone && others) {
            modes.forbidden("may not use ReadWriteOncePod with other access modes");
        }
    }

    private static void storage(FieldCursor resources) {
        FieldCursor request = resources.at("requests", "storage");
        if (request.value() == null) {
            resources.entry("storage").required("");
        } else {
            positive(request.named(resources.entry("storage").path()));
        }
    }

    /** Adds an error unless the amount is positive. */
    public static void positive(FieldCursor amount) {
        Quantity quantity = quantity(amount);
        if (quantity.signum() <= 0) {
            amount.holding(new JsonString(quantity.toString())).invalid("must be greater than zero");
        }
    }

    private static Quantity quantity(FieldCursor amount) {
        return amount.value() == null ? Quantity.ZERO : Quantities.of(amount.value());
    }

    private static void dataSources(FieldCursor spec, boolean keepsGroup) {
        FieldCursor source = spec.at("dataSource");
        FieldCursor reference = spec.at("dataSourceRef");
        source.ifSet(set -> dataSource(set, keepsGroup));
        reference.ifSet(set -> {
            dataSource(set, keepsGroup);
            set.at("namespace").followsIfSet(NameValidation::dns1123Label);
        });
        // Upstream shows a path instead of a value, which has no fields in JSON.
        FieldCursor unnamed = spec.holding(JsonObject.EMPTY);
        if (!source.isSet()) {
            return;
        }
        if (!reference.at("namespace").isEmpty()) {
            unnamed.invalid("may not be specified when dataSourceRef.namespace is specified");
        } else if (reference.isSet() && !isSame(source, reference)) {
            unnamed.invalid("must match dataSourceRef");
        }
    }

    private static boolean isSame(FieldCursor source, FieldCursor reference) {
        return List.of("apiGroup", "kind", "name").stream()
                .allMatch(field -> source.at(field).isSameAs(reference.at(field)));
    }

    private static void dataSource(FieldCursor source, boolean keepsGroup) {
        FieldCursor group = source.at("apiGroup");
        source.at("name").require();
        source.at("kind").require();
        String kind = source.at("kind").text();
        if (group.isEmpty() && !kind.equals(CLAIM)) {
            source.holding(new JsonString(kind))
                    .invalid("must be '" + CLAIM + "' when referencing the default apiGroup");
        }
        if (!keepsGroup) {
            group.followsIfSet(NameValidation::dns1123Subdomain);
        }
    }
}
