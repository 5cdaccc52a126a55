/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.apply;

import io.kubeloop.apiserver.fieldmanager.FieldFilter;
import io.kubeloop.apiserver.fieldmanager.FieldPath;
import io.kubeloop.apiserver.fieldmanager.FieldSet;

/**
 * Determines the fields of an object that a write through a subresource can change; only these get an owner (upstream:
 * {@code rest.ResetFieldsStrategy}). Must be thread-safe.
 */
@FunctionalInterface
public interface OwnableFields {

    /** Every field, through every subresource. */
    OwnableFields ALL = subresource -> FieldFilter.ALL;

    /** The rule of most kinds with a status: the objects without their status, and the status without the spec. */
    OwnableFields WITH_STATUS = subresource -> switch (subresource) {
        case "" -> FieldFilter.excluding(FieldSet.of(FieldPath.of("status")));
        case "status" -> FieldFilter.excluding(FieldSet.of(FieldPath.of("spec")));
        default -> FieldFilter.ALL;
    };

    /**
     * Returns the rule of a custom resource: its status is written without the metadata.
     *
     * @param hasStatus whether the status is a subresource; otherwise it is an ordinary field
     */
    static OwnableFields ofCustom(boolean hasStatus) {
        return hasStatus
                ? subresource -> subresource.equals("status")
                        ? FieldFilter.excluding(FieldSet.of(FieldPath.of("spec"), FieldPath.of("metadata")))
                        : WITH_STATUS.in(subresource)
                : ALL;
    }

    /**
     * Returns the filter that keeps the fields which a write can change.
     *
     * @param subresource the name of the subresource; empty for the objects themselves
     */
    FieldFilter in(String subresource);
}
