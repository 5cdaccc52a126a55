package io.kubeloop.api.core;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many pods of which form (upstream: {@code core/v1.ReplicationControllerSpec}).
 *
 * @param replicas how many pods; null means 1
 * @param minReadySeconds how long a pod is ready before it counts as available, in seconds
 * @param selector labels of the pods that count; empty: those of the template
 * @param template what new pods look like
 * @param unknownFields everything else
 */
@RecordBuilder
public record ReplicationControllerSpec(
        @Nullable Integer replicas,
        int minReadySeconds,
        Map<String, String> selector,
        @Nullable PodTemplateSpec template,
        UnknownFields unknownFields) {

    /** Every field absent. */
    public static final ReplicationControllerSpec EMPTY =
            ReplicationControllerSpecBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public ReplicationControllerSpec {
        selector = Values.orEmpty(selector);
        unknownFields = Values.orNone(unknownFields);
    }
}
