package io.kubeloop.api.discovery;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Whether an endpoint is to be used (upstream: {@code discovery.k8s.io/v1.EndpointConditions}).
 *
 * @param ready whether it takes requests; null means yes
 * @param serving as {@code ready}, but also said of terminating endpoints
 * @param terminating whether it is about to end
 * @param unknownFields everything else
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
