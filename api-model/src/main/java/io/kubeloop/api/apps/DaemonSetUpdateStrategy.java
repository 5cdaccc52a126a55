/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a DaemonSet replaces old pods (upstream: {@code apps/v1.DaemonSetUpdateStrategy}).
 *
 * @param type {@code RollingUpdate} or {@code OnDelete}; empty before defaulting, which sets {@code RollingUpdate}
 * @param rollingUpdate the limits of a rolling update; null for {@code OnDelete}
 * @param unknownFields all other fields
 */
@RecordBuilder
public record DaemonSetUpdateStrategy(
        String type, @Nullable RollingUpdateDaemonSet rollingUpdate, UnknownFields unknownFields) {

    /** Type: replace old pods node by node. */
    public static final String ROLLING_UPDATE = "RollingUpdate";

    /** Every field absent. */
    public static final DaemonSetUpdateStrategy EMPTY =
            DaemonSetUpdateStrategyBuilder.builder().build();

    /** Null means the zero value. */
    public DaemonSetUpdateStrategy {
        type = Values.orEmpty(type);
        unknownFields = Values.orNone(unknownFields);
    }
}
