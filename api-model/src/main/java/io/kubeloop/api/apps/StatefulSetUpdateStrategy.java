/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a StatefulSet replaces old pods (upstream: {@code apps/v1.StatefulSetUpdateStrategy}).
 *
 * @param type {@code RollingUpdate} or {@code OnDelete}; empty before defaulting, which sets {@code RollingUpdate}
 * @param rollingUpdate the limits of a rolling update; null means none
 * @param unknownFields all other fields
 */
@RecordBuilder
public record StatefulSetUpdateStrategy(
        String type, @Nullable RollingUpdateStatefulSet rollingUpdate, UnknownFields unknownFields) {

    /** Type: replace a pod only after a user has deleted it. */
    public static final String ON_DELETE = "OnDelete";

    /** Type: replace old pods one by one. */
    public static final String ROLLING_UPDATE = "RollingUpdate";

    /** Every field absent. */
    public static final StatefulSetUpdateStrategy EMPTY =
            StatefulSetUpdateStrategyBuilder.builder().build();

    /** Null means the zero value. */
    public StatefulSetUpdateStrategy {
        type = Values.orEmpty(type);
        unknownFields = Values.orNone(unknownFields);
    }
}
