/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.autoscaling;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How fast the number of pods may change (upstream: {@code autoscaling/v2.HorizontalPodAutoscalerBehavior}). The API
 * server adds the defaults of both directions.
 *
 * @param scaleUp the rules for more pods
 * @param scaleDown the rules for fewer pods
 * @param unknownFields all other fields
 */
@RecordBuilder
public record ScalingBehavior(
        @Nullable Rules scaleUp, @Nullable Rules scaleDown, UnknownFields unknownFields) {

    /** Null means the zero value. */
    public ScalingBehavior {
        unknownFields = Values.orNone(unknownFields);
    }

    /**
     * The rules of one direction (upstream: {@code HPAScalingRules}).
     *
     * @param stabilizationWindowSeconds how long earlier recommendations count; null means the controller's default
     * @param selectPolicy {@code Max}, {@code Min} or {@code Disabled}: which policy decides, if there are several
     * @param policies the limits of the change
     * @param tolerance the relative deviation from the target that changes nothing; empty means the controller's
     *     default
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record Rules(
            @Nullable Integer stabilizationWindowSeconds,
            String selectPolicy,
            List<Policy> policies,
            String tolerance,
            UnknownFields unknownFields) {

        /** Every field absent. */
        public static final Rules EMPTY = new Rules(null, "", List.of(), "", UnknownFields.NONE);

        /** Copies the collections; null means the zero value. */
        public Rules {
            selectPolicy = Values.orEmpty(selectPolicy);
            policies = Values.orEmpty(policies);
            tolerance = Values.orEmpty(tolerance);
            unknownFields = Values.orNone(unknownFields);
        }
    }

    /**
     * A limit of the change within a period (upstream: {@code HPAScalingPolicy}).
     *
     * @param type {@code Pods} or {@code Percent}
     * @param value the limit, as a number of pods or in percent
     * @param periodSeconds the length of the period
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record Policy(
            String type,
            @JsonMember(omitZero = true) int value,
            @JsonMember(omitZero = true) int periodSeconds,
            UnknownFields unknownFields) {

        /** Null means the zero value. */
        public Policy {
            type = Values.orEmpty(type);
            unknownFields = Values.orNone(unknownFields);
        }
    }
}
