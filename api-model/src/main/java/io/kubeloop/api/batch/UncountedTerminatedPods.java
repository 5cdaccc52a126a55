/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.batch;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * The UIDs of pods that have ended, that still have the job's finalizer, and that are not part of the counts yet
 * (upstream: {@code batch/v1.UncountedTerminatedPods}).
 *
 * @param succeeded the pods that succeeded
 * @param failed the pods that failed
 * @param unknownFields all other fields
 */
@RecordBuilder
public record UncountedTerminatedPods(
        @JsonMember(shared = false) List<String> succeeded,
        @JsonMember(shared = false) List<String> failed,
        UnknownFields unknownFields) {

    /** No pods. */
    public static final UncountedTerminatedPods EMPTY =
            UncountedTerminatedPodsBuilder.builder().build();

    /** Copies the collections; null means the zero value. */
    public UncountedTerminatedPods {
        succeeded = Values.orEmpty(succeeded);
        failed = Values.orEmpty(failed);
        unknownFields = Values.orNone(unknownFields);
    }
}
