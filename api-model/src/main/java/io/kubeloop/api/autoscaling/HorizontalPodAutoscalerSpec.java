/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.autoscaling;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.kubeloop.api.WithMethods;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scaled object, the bounds and the metrics (upstream: {@code autoscaling/v2.HorizontalPodAutoscalerSpec}).
 *
 * @param scaleTargetRef the scaled object
 * @param minReplicas the lower bound; null means 1
 * @param maxReplicas the upper bound
 * @param metrics the metrics; the one that needs the most pods decides
 * @param behavior the speed of scaling; null means the defaults of the controller
 * @param unknownFields all other fields
 */
@WithMethods
public record HorizontalPodAutoscalerSpec(
        CrossVersionObjectReference scaleTargetRef,
        @Nullable Integer minReplicas,
        @JsonMember(omitZero = true) int maxReplicas,
        List<MetricSpec> metrics,
        @Nullable ScalingBehavior behavior,
        UnknownFields unknownFields)
        implements HorizontalPodAutoscalerSpecBuilder.With {

    /** Every field absent. */
    public static final HorizontalPodAutoscalerSpec EMPTY =
            HorizontalPodAutoscalerSpecBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public HorizontalPodAutoscalerSpec {
        scaleTargetRef = scaleTargetRef == null ? CrossVersionObjectReference.EMPTY : scaleTargetRef;
        metrics = Values.orEmpty(metrics);
        unknownFields = Values.orNone(unknownFields);
    }
}
