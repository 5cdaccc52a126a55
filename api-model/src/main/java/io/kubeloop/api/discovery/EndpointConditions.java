/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.discovery;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The readiness of an endpoint (upstream: {@code discovery.k8s.io/v1.EndpointConditions}).
 *
 * @param ready whether it accepts requests and is not terminating; null means yes
 * @param serving whether it accepts requests, even while it is terminating; null means the value of {@code ready}
 * @param terminating whether its pod is terminating; null means no
 * @param unknownFields all other fields
 */
@RecordBuilder
public record EndpointConditions(
        @Nullable Boolean ready,
        @Nullable Boolean serving,
        @Nullable Boolean terminating,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final EndpointConditions EMPTY =
            EndpointConditionsBuilder.builder().build();

    /** Null means the zero value. */
    public EndpointConditions {
        unknownFields = Values.orNone(unknownFields);
    }
}
