/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.core;

import io.kubeloop.api.JsonMember;
import io.kubeloop.api.UnknownFields;
import io.kubeloop.api.Values;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The observed state of a container (upstream: {@code core/v1.ContainerStatus}).
 *
 * @param name the container's name
 * @param ready whether it passes its readiness probe
 * @param restartCount the number of restarts
 * @param image the image of the running container
 * @param state whether the container waits, runs or has ended; null if unknown
 * @param unknownFields all other fields
 */
@RecordBuilder
public record ContainerStatus(
        String name,
        @JsonMember(omitZero = true) boolean ready,
        @JsonMember(omitZero = true) int restartCount,
        String image,
        @Nullable ContainerState state,
        UnknownFields unknownFields) {

    /** Null means the zero value. */
    public ContainerStatus {
        name = Values.orEmpty(name);
        image = Values.orEmpty(image);
        unknownFields = Values.orNone(unknownFields);
    }
}
