/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.apps;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a deployment replaces old pods (upstream: {@code apps/v1.DeploymentStrategy}).
 *
 * @param type {@code RollingUpdate} or {@code Recreate}; empty before defaulting, which sets {@code RollingUpdate}
 * @param rollingUpdate the limits of a rolling update; null for {@code Recreate}
 * @param unknownFields all other fields
 */
@RecordBuilder
public record DeploymentStrategy(
        String type, @Nullable RollingUpdateDeployment rollingUpdate, UnknownFields unknownFields) {

    /** Type: delete all old pods, then create new ones. */
    public static final String RECREATE = "Recreate";

    /** Type: replace old pods step by step. */
    public static final String ROLLING_UPDATE = "RollingUpdate";

    /** Every field absent. */
    public static final DeploymentStrategy EMPTY =
            DeploymentStrategyBuilder.builder().build();

    /** Null means the zero value. */
    public DeploymentStrategy {
        type = Values.orEmpty(type);
        unknownFields = Values.orNone(unknownFields);
    }
}
