/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.value.IntOrString;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a rolling update (upstream: {@code apps/v1.RollingUpdateStatefulSetStrategy}).
 *
 * @param partition the ordinal below which pods stay at the current revision; null means 0
 * @param maxUnavailable the number of pods that may be unavailable, or their percentage, rounded down; at least 1; null
 *     means 1
 * @param unknownFields all other fields
 */
@RecordBuilder
public record RollingUpdateStatefulSet(
        @Nullable Integer partition, @Nullable IntOrString maxUnavailable, UnknownFields unknownFields) {

    /** Null means the zero value. */
    public RollingUpdateStatefulSet {
        unknownFields = Values.orNone(unknownFields);
    }
}
