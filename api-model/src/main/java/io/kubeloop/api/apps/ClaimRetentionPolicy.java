/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The treatment of the claims of a StatefulSet (upstream: {@code
 * apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy}). Both components are {@code Retain} or {@code Delete}.
 *
 * @param whenDeleted for all claims after the deletion of the set
 * @param whenScaled for the claims of pods that a scale down removes
 * @param unknownFields all other fields
 */
@RecordBuilder
public record ClaimRetentionPolicy(String whenDeleted, String whenScaled, UnknownFields unknownFields) {

    /** The claim is deleted with the pod or set that uses it. */
    public static final String DELETE = "Delete";

    /** Policy: the claim stays. */
    public static final String RETAIN = "Retain";

    /** Null means the zero value. */
    public ClaimRetentionPolicy {
        whenDeleted = Values.orEmpty(whenDeleted);
        whenScaled = Values.orEmpty(whenScaled);
        unknownFields = Values.orNone(unknownFields);
    }
}
