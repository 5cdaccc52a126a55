/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a rolling update (upstream: {@code apps/v1.RollingUpdateStatefulSetStrategy}).
 *
 * @param partition the ordinal below which pods stay at the current revision; null means 0
 * @param unknownFields everything else
 */
@RecordBuilder
public record RollingUpdateStatefulSet(@Nullable Integer partition, UnknownFields unknownFields) {

    /** Null means the zero value. */
    public RollingUpdateStatefulSet {
        unknownFields = Values.orNone(unknownFields);
    }
}
