/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.batch;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The treatment of failed pods by their exit codes and conditions (upstream: {@code batch/v1.PodFailurePolicy}).
 *
 * @param rules the rules; the first that matches a pod decides
 * @param unknownFields all other fields
 */
@RecordBuilder
public record PodFailurePolicy(List<Rule> rules, UnknownFields unknownFields) {

    /** Copies the collections; null means the zero value. */
    public PodFailurePolicy {
        rules = Values.orEmpty(rules);
        unknownFields = Values.orNone(unknownFields);
    }

    /**
     * One rule. It has either exit codes or conditions.
     *
     * @param action {@code FailJob}, {@code FailIndex}, {@code Ignore} or {@code Count}
     * @param onExitCodes the exit codes that match; null if the rule has none
     * @param onPodConditions the conditions that match
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record Rule(
            String action,
            @Nullable ExitCodes onExitCodes,
            List<ConditionPattern> onPodConditions,
            UnknownFields unknownFields) {

        /** Copies the collections; null means the zero value. */
        public Rule {
            action = Values.orEmpty(action);
            onPodConditions = Values.orEmpty(onPodConditions);
            unknownFields = Values.orNone(unknownFields);
        }
    }

    /**
     * Exit codes of containers. The code 0 never matches.
     *
     * @param containerName the container; null for any
     * @param operator {@code In} or {@code NotIn}
     * @param values the exit codes
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record ExitCodes(
            @Nullable String containerName, String operator, List<Integer> values, UnknownFields unknownFields) {

        /** Copies the collections; null means the zero value. */
        public ExitCodes {
            operator = Values.orEmpty(operator);
            values = Values.orEmpty(values);
            unknownFields = Values.orNone(unknownFields);
        }
    }

    /**
     * A condition of a pod.
     *
     * @param type the type
     * @param status {@code True}, {@code False} or {@code Unknown}
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record ConditionPattern(String type, String status, UnknownFields unknownFields) {

        /** Null means the zero value. */
        public ConditionPattern {
            type = Values.orEmpty(type);
            status = Values.orEmpty(status);
            unknownFields = Values.orNone(unknownFields);
        }
    }
}
