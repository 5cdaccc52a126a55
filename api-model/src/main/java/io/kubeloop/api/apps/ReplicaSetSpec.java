package io.kubeloop.api.apps;

import io.kubeloop.api.LabelSelector;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.core.PodTemplateSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * How many pods of which form (upstream: {@code apps/v1.ReplicaSetSpec}).
 *
 * @param replicas how many pods; null means 1
 * @param minReadySeconds how long a pod is ready before it counts as available, in seconds
 * @param selector which pods count; required in stored objects
 * @param template what new pods look like
 * @param unknownFields everything else
 */
@RecordBuilder
public record ReplicaSetSpec(
        @Nullable Integer replicas,
        int minReadySeconds,
        @Nullable LabelSelector selector,
        PodTemplateSpec template,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final ReplicaSetSpec EMPTY = ReplicaSetSpecBuilder.builder().build();

    /** Null means the zero value. */
    public ReplicaSetSpec {
        template = template == null ? PodTemplateSpec.EMPTY : template;
        unknownFields = Values.orNone(unknownFields);
    }
}
