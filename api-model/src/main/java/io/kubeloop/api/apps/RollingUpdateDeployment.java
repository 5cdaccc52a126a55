/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.value.IntOrString;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a rolling update (upstream: {@code apps/v1.RollingUpdateDeployment}). Both limits are numbers or
 * percentages of {@code replicas}, and they must not both be 0.
 *
 * @param maxUnavailable the number of pods that may be unavailable, percentages rounded down; null means {@code 25%}
 * @param maxSurge the number of pods that may exist beyond {@code replicas}, percentages rounded up; null means {@code
 *     25%}
 * @param unknownFields all other fields
 */
@RecordBuilder
public record RollingUpdateDeployment(
        @Nullable IntOrString maxUnavailable, @Nullable IntOrString maxSurge, UnknownFields unknownFields) {

    /** Null means the zero value. */
    public RollingUpdateDeployment {
        unknownFields = Values.orNone(unknownFields);
    }
}
