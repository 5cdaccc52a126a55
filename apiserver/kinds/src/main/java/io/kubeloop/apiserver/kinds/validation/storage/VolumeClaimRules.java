/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.validation.storage;

import io.kubeloop.api.NameValidation;
import io.kubeloop.api.value.Quantity;
import io.kubeloop.apiserver.fielderrors.FieldCursor;
import io.kubeloop.apiserver.kinds.validation.AmountRules;
import io.kubeloop.apiserver.kinds.validation.ClaimSpecRules;
import io.kubeloop.apiserver.kinds.validation.InternalDiff;
import io.kubeloop.json.schema.Quantities;
import io.kubeloop.json.tree.JsonNumber;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonString;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Validation of persistent volume claims (upstream: {@code ValidatePersistentVolumeClaim} in {@code
 * pkg/apis/core/validation}).
 */
public final class VolumeClaimRules {

    private static final String ANNOTATION = "volume.beta.kubernetes.io/storage-class";
    private static final String STORAGE_CLASS = "storageClassName";
    private static final String ATTRIBUTES_CLASS = "volumeAttributesClassName";
    private static final List<String> RESIZE_STATES = List.of(
            "ControllerResizeInProgress",
            "ControllerResizeInfeasible",
            "NodeResizeInProgress",
            "NodeResizeInfeasible",
            "NodeResizePending");

    private VolumeClaimRules() {}

    /** Validates a new claim. */
    public static void create(FieldCursor claim) {
        ClaimSpecRules.check(claim.at("spec"));
    }

    /** Validates a change of a claim. */
    public static void update(FieldCursor claim, FieldCursor old) {
        boolean keepsGroup = old.at("spec", "dataSource", "apiGroup").isSet()
                || old.at("spec", "dataSourceRef", "apiGroup").isSet();
        ClaimSpecRules.check(claim.at("spec"), keepsGroup);
        immutable(claim, old);
        size(claim, old);
        claim.at("spec", "volumeMode").named("volumeMode").immutable(old.at("spec", "volumeMode"));
        attributes(claim.at("spec", ATTRIBUTES_CLASS), old);
    }

    private static void immutable(FieldCursor claim, FieldCursor old) {
        JsonObject after = claim.at("spec").object();
        JsonObject before = old.at("spec").object();
        if (before.string("volumeName").isEmpty() && !after.string("volumeName").isEmpty()) {
            before = before.with("volumeName", after.string("volumeName"));
        }
        FieldCursor annotation = claim.at("metadata", "annotations", ANNOTATION);
        FieldCursor oldAnnotation = old.at("metadata", "annotations", ANNOTATION);
        FieldCursor name = claim.at("spec", STORAGE_CLASS);
        boolean isNew = name.isSet() && !old.at("spec", STORAGE_CLASS).isSet();
        boolean isFromAnnotation = isNew
                && oldAnnotation.isSet()
                && name.isSameAs(oldAnnotation)
                && (!annotation.isSet() || annotation.isSameAs(oldAnnotation));
        if (isFromAnnotation) {
            after = after.without(STORAGE_CLASS);
        } else {
            annotation.holdingText().immutable(oldAnnotation.holdingText());
            if (isNew && (!oldAnnotation.isSet() || name.isSameAs(oldAnnotation))) {
                after = after.without(STORAGE_CLASS);
            }
        }
        if (claim.at("status", "phase").text().equals("Bound")) {
            after = bound(after, before);
        }
        if (!after.equals(before)) {
            claim.at("spec")
                    .forbidden("spec is immutable after creation except resources.requests and"
                            + " volumeAttributesClassName for bound claims\n"
                            + InternalDiff.of(
                                    "core.v1.PersistentVolumeClaimSpec",
                                    before,
                                    claim.at("spec").showing(after).shownObject()));
        }
    }

    /**
     * Returns the spec with the changes that are allowed after a claim is bound: those of its size and of its
     * attributes class.
     */
    private static JsonObject bound(JsonObject after, JsonObject before) {
        JsonValue size = before.object("resources", "requests").get("storage");
        JsonObject result = after;
        if (size != null && !after.object("resources", "requests").isEmpty()) {
            result = result.with(List.of("resources", "requests", "storage"), size);
        }
        JsonValue attributes = before.get(ATTRIBUTES_CLASS);
        return attributes == null ? result.without(ATTRIBUTES_CLASS) : result.with(ATTRIBUTES_CLASS, attributes);
    }

    private static void size(FieldCursor claim, FieldCursor old) {
        FieldCursor request = claim.at("spec", "resources", "requests", "storage");
        Quantity size = quantity(request);
        if (size.compareTo(quantity(old.at("spec", "resources", "requests", "storage"))) < 0
                && size.compareTo(quantity(old.at("status", "capacity", "storage"))) <= 0) {
            request.forbidden("field can not be less than status.capacity");
        }
    }

    private static Quantity quantity(FieldCursor amount) {
        return amount.value() == null ? Quantity.ZERO : Quantities.of(amount.value());
    }

    private static void attributes(FieldCursor name, FieldCursor old) {
        boolean isUsed = old.at("status", "currentVolumeAttributesClassName").isSet();
        if (!isUsed
                || Objects.equals(name.value(), old.at("spec", ATTRIBUTES_CLASS).value())) {
            return;
        }
        if (name.isEmpty()) {
            name.forbidden("update to " + (name.isSet() ? "empty string" : "nil")
                    + " is forbidden when status.currentVolumeAttributesClassName is not nil");
        }
    }

    /** Validates a change of the status of a claim. */
    public static void status(FieldCursor claim) {
        claim.at("status", "capacity").entries().forEach(VolumeClaimRules::amount);
        FieldCursor states = claim.at("status", "allocatedResourceStatuses");
        states.object().members().forEach((key, state) -> {
            FieldCursor shown = states.holding(new JsonString(key));
            boolean unused = resourceName(shown);
            if (!(state instanceof JsonString text) || !RESIZE_STATES.contains(text.value())) {
                shown.notSupported(RESIZE_STATES);
            }
        });
        FieldCursor allocated = claim.at("status", "allocatedResources");
        for (String key : allocated.object().members().keySet()) {
            if (resourceName(allocated.holding(new JsonString(key)))) {
                amount(allocated.entry(key));
            }
        }
    }

    private static boolean resourceName(FieldCursor shown) {
        List<String> problems = NameValidation.qualifiedName(shown.text());
        shown.invalid(problems);
        boolean isNative = shown.text().indexOf('/') < 0 || shown.text().contains("kubernetes.io/");
        if (problems.isEmpty() && isNative && !shown.text().equals("storage")) {
            shown.notSupported(List.of("storage"));
            return false;
        }
        return problems.isEmpty();
    }

    /** Adds an error if an amount is negative; the message shows it in whole units. */
    static void amount(FieldCursor amount) {
        long value = AmountRules.scaled(quantity(amount), 0);
        if (value < 0) {
            amount.holding(JsonNumber.of(value)).invalid("must be a valid resource quantity");
        }
    }

    /** Returns the warnings about a claim. */
    public static List<String> warnings(FieldCursor claim) {
        List<String> warnings = new ArrayList<>();
        if (claim.at("metadata", "annotations", ANNOTATION).isSet()) {
            warnings.add(claim.at("metadata", "annotations").entry(ANNOTATION).path()
                    + ": deprecated since v1.8; use \"storageClassName\" attribute instead");
        }
        for (String list : List.of("requests", "limits")) {
            FieldCursor amount = claim.at("spec", "resources", list).entry("storage");
            Quantity quantity = quantity(amount);
            if (!AmountRules.isWhole(quantity)) {
                warnings.add(
                        amount.path() + ": fractional byte value \"" + quantity + "\" is invalid, must be an integer");
            }
        }
        return warnings;
    }
}
