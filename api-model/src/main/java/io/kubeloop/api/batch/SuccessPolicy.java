/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.batch;

import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which an Indexed job succeeds before all of its indexes have (upstream: {@code batch/v1.SuccessPolicy}).
 *
 * @param rules the rules; one that is met is enough
 * @param unknownFields all other fields
 */
@RecordBuilder
public record SuccessPolicy(List<SucceededRule> rules, UnknownFields unknownFields) {

    /** Copies the collections; null means the zero value. */
    public SuccessPolicy {
        rules = Values.orEmpty(rules);
        unknownFields = Values.orNone(unknownFields);
    }

    /**
     * One rule.
     *
     * @param succeededIndexes the indexes that must succeed, such as {@code 0,2-4}; null for any
     * @param succeededCount how many of these indexes must succeed; null for all
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record SucceededRule(
            @Nullable String succeededIndexes, @Nullable Integer succeededCount, UnknownFields unknownFields) {

        /** Null means the zero value. */
        public SucceededRule {
            unknownFields = Values.orNone(unknownFields);
        }
    }
}
