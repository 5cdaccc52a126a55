/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.Time;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The state of a container (upstream: {@code core/v1.ContainerState}). The states waiting and running stay in {@code
 * unknownFields}.
 *
 * @param terminated how the container ended; null if it has not
 * @param unknownFields all other fields
 */
@RecordBuilder
public record ContainerState(@Nullable Terminated terminated, UnknownFields unknownFields) {

    /** Every field absent. */
    public static final ContainerState EMPTY = ContainerStateBuilder.builder().build();

    /** Null means the zero value. */
    public ContainerState {
        unknownFields = Values.orNone(unknownFields);
    }

    /**
     * The end of a container.
     *
     * @param exitCode its exit code
     * @param finishedAt when it ended
     * @param unknownFields all other fields
     */
    @RecordBuilder
    public record Terminated(
            @JsonMember(omitZero = true) int exitCode,
            @Nullable Time finishedAt,
            UnknownFields unknownFields) {

        /** Null means the zero value. */
        public Terminated {
            unknownFields = Values.orNone(unknownFields);
        }
    }
}
