/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.value.IntOrString;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a rolling update (upstream: {@code apps/v1.RollingUpdateDaemonSet}). Both limits are numbers or
 * percentages of the fitting nodes, rounded up; one limit must be 0.
 *
 * @param maxUnavailable the number of nodes that may be without an available pod; null means 0
 * @param maxSurge the number of nodes that may have a new pod beside the old one; null means 0
 * @param unknownFields all other fields
 */
@RecordBuilder
public record RollingUpdateDaemonSet(
        @Nullable IntOrString maxUnavailable, @Nullable IntOrString maxSurge, UnknownFields unknownFields) {

    /** Null means the zero value. */
    public RollingUpdateDaemonSet {
        unknownFields = Values.orNone(unknownFields);
    }
}
